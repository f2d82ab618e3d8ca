#include "text/words/stop_words/lists.hpp"

#include <array>

namespace fewdim {

namespace {

constexpr std::string_view kBulgarian =
    "и на в от да за се с е че не по са като до това си при след със тази този които който която но към или през много "
    "още във бе беше ще има може само което един една както още ли му го ги те той тя ни";
constexpr std::string_view kUkrainian =
    "і в на з що не та до у за як а від його для про це по при й але також є які який яка або був була було були його "
    "її їх "
    "так ми він вона вони через після під якщо щоб бути може";
constexpr std::string_view kMacedonian =
    "и на во од да за се со е дека не по го ги како што до тоа си при но или кој која кои беше биле ќе има може само "
    "еден "
    "една ја им му јас тој таа тие";
constexpr std::string_view kPolish =
    "i w z na do nie się że o to jest jak za od po ale przez co tak dla był była było są który która które oraz tym "
    "tego "
    "ich jego jej już być ze we przy może czy lub";
constexpr std::string_view kCzech =
    "a v se na je že s z do o i to ve za jako k by pro ale po jeho který která které od si jsou byl byla bylo nebo tak "
    "při "
    "jen co už není bude může není ze není";
constexpr std::string_view kSlovak =
    "a v sa na je že s z do o i to vo za ako k by pre ale po jeho ktorý ktorá ktoré od si sú bol bola bolo alebo tak "
    "pri len "
    "čo už nie bude môže aj zo";
constexpr std::string_view kSlovene =
    "in je v na se da so ki za z pa s tudi ne kot po bi bil bila bilo od pri do ali o kar še sem iz jih lahko ter če k "
    "bo "
    "med ga le";
constexpr std::string_view kGalician =
    "o a os as de e que do da en un unha para con por non se dos das no na ao como máis foi ou seu súa é son pero "
    "entre "
    "nos nas polo pola unha estes esta este moi tamén xa ser está ten foron dende ata cando onde";
constexpr std::string_view kPersian =
    "و در به از که این را با است برای آن یک تا شد می بر خود هم کرد شده بود ها نیز ما اما یا دارد باید او هر کند نمی "
    "آنها وی "
    "هستند بودند اگر دو پس پیش";
constexpr std::string_view kUrdu =
    "کے کی کا میں ہے اور سے کو نے پر یہ کہ ہیں ایک بھی اس جو تھا تھے تھی ہو گیا کر وہ لیے ان اپنے تک بعد ساتھ نہیں یا "
    "دیا "
    "کیا ہوئے رہے جا";
constexpr std::string_view kHebrew =
    "של את על לא הוא היא עם כי גם זה אל או אם כל יש הם אני מה אשר זו היה היו אבל רק בין עד אך לו לה כמו יותר אחרי לפני";
constexpr std::string_view kEstonian =
    "ja on ei et see oli kui aga ka mis ta ning või oma selle need kes seda siis nii ma me te mida nagu välja veel üks "
    "olid "
    "olnud pole peale juba saab";
constexpr std::string_view kMarathi =
    "आहे आणि या च्या हे ते की मध्ये व ही तो ती होते होता होती आहेत नाही करून केले केली त्या त्यांनी यांनी साठी पण एक असे असा म्हणून "
    "तर काही";
constexpr std::string_view kMalay =
    "yang dan di ini itu dengan untuk pada dalam adalah ke dari tidak oleh telah ialah kerana bahawa mereka juga boleh "
    "satu "
    "daripada kepada atau beliau tersebut sebagai hendaklah ia bagi tiada adakah antara seorang lebih";
constexpr std::string_view kAfrikaans =
    "die van en het is in 'n nie wat met te op vir hy dit se hulle as om sy aan was maar ek word sal deur ons by kan "
    "na "
    "ook uit een of daar toe tot sou had haar hom";
constexpr std::string_view kAzerbaijani =
    "və bu bir ilə üçün də da o ki olan ən daha kimi sonra olaraq onun çox hər isə edir olub bəzi həm belə onlar görə "
    "var "
    "idi amma lakin artıq";

constexpr std::array<StopList, 16> kNeighbors{{{"bulgarian", kBulgarian},
                                               {"ukrainian", kUkrainian},
                                               {"macedonian", kMacedonian},
                                               {"polish", kPolish},
                                               {"czech", kCzech},
                                               {"slovak", kSlovak},
                                               {"slovene", kSlovene},
                                               {"galician", kGalician},
                                               {"persian", kPersian},
                                               {"urdu", kUrdu},
                                               {"hebrew", kHebrew},
                                               {"estonian", kEstonian},
                                               {"marathi", kMarathi},
                                               {"malay", kMalay},
                                               {"afrikaans", kAfrikaans},
                                               {"azerbaijani", kAzerbaijani}}};

}  // namespace

std::span<const StopList> stop_lists() {
  static const std::array<StopList, 28> lists{
      {{"arabic", kArabicStops},       {"armenian", kArmenianStops},     {"basque", kBasqueStops},
       {"catalan", kCatalanStops},     {"danish", kDanishStops},         {"dutch", kDutchStops},
       {"english", kEnglishStops},     {"finnish", kFinnishStops},       {"french", kFrenchStops},
       {"german", kGermanStops},       {"greek", kGreekStops},           {"hindi", kHindiStops},
       {"hungarian", kHungarianStops}, {"indonesian", kIndonesianStops}, {"irish", kIrishStops},
       {"italian", kItalianStops},     {"lithuanian", kLithuanianStops}, {"nepali", kNepaliStops},
       {"norwegian", kNorwegianStops}, {"portuguese", kPortugueseStops}, {"romanian", kRomanianStops},
       {"russian", kRussianStops},     {"serbian", kSerbianStops},       {"spanish", kSpanishStops},
       {"swedish", kSwedishStops},     {"tamil", kTamilStops},           {"turkish", kTurkishStops},
       {"yiddish", kYiddishStops}}};
  return lists;
}

std::span<const StopList> neighbor_lists() { return kNeighbors; }

std::string_view elisions_of(std::string_view language) {
  if (language == "french") return " l d j m t s n c qu jusqu lorsqu puisqu quoiqu ";
  if (language == "italian") return " l d c v m t s un all dall dell nell sull coll quell quest gl senz tutt anch ";
  if (language == "catalan") return " l d m t s n ";
  return {};
}

}  // namespace fewdim
