#include "fewdim/words.hpp"
#include "text/words/languages.hpp"

namespace fewdim {
namespace {

struct Sample {
  const char* language;
  const char* text;
};

// Written for this test; said three times over, they have more than the hundred words that are asked for.
const Sample kSamples[] = {
    {"english",
     "The old bridge was built by people who lived on the other side of the river, and when it fell in the storm "
     "they had to find another way to the market. Nobody knew how long it would take before they could cross again."},
    {"german",
     "Die alte Brücke wurde von den Leuten gebaut, die auf der anderen Seite des Flusses wohnten, und als sie im Sturm "
     "zusammenbrach, mussten sie einen anderen Weg zum Markt finden. Niemand wusste, wie lange es dauern würde."},
    {"dutch",
     "De oude brug werd gebouwd door de mensen die aan de andere kant van de rivier woonden, en toen zij in de storm "
     "instortte moesten ze een andere weg naar de markt vinden. Niemand wist hoe lang het zou duren."},
    {"danish",
     "Den gamle bro blev bygget af folk, som boede på den anden side af floden, og da den faldt sammen i stormen, "
     "måtte "
     "de finde en anden vej til markedet. Ingen vidste, hvor længe det ville vare, før man kunne gå over igen."},
    {"norwegian",
     "Den gamle broen ble bygget av folk som bodde på den andre siden av elven, og da den falt sammen i stormen, måtte "
     "de finne en annen vei til markedet. Ingen visste hvor lenge det ville ta før man kunne gå over igjen."},
    {"swedish",
     "Den gamla bron byggdes av människor som bodde på andra sidan av floden, och när den föll i stormen var de "
     "tvungna "
     "att hitta en annan väg till marknaden. Ingen visste hur länge det skulle dröja innan man kunde gå över igen."},
    {"yiddish",
     "די אַלטע בריק האָט מען געבויט פֿאַר די מענטשן וואָס האָבן געוווינט אויף דער אַנדערער זײַט טײַך, און ווען זי איז געפֿאַלן "
     "אין "
     "דעם שטורעם האָבן זיי געמוזט געפֿינען אַן אַנדער וועג צום מאַרק. קיינער האָט ניט געוווּסט ווי לאַנג עס וועט געדויערן"},
    {"french",
     "Le vieux pont avait été construit par les gens qui vivaient de l'autre côté de la rivière, et quand il est tombé "
     "dans "
     "la tempête ils ont dû trouver un autre chemin vers le marché. Personne ne savait combien de temps cela "
     "durerait."},
    {"spanish",
     "El viejo puente fue construido por la gente que vivía al otro lado del río, y cuando cayó en la tormenta "
     "tuvieron que "
     "encontrar otro camino hacia el mercado. Nadie sabía cuánto tiempo pasaría hasta que lo pudieran cruzar."},
    {"portuguese",
     "A velha ponte foi construída pelas pessoas que viviam do outro lado do rio, e quando caiu na tempestade elas "
     "tiveram de encontrar outro caminho para o mercado. Ninguém sabia quanto tempo isso iria demorar."},
    {"catalan",
     "El vell pont va ser construït per la gent que vivia a l'altra banda del riu, i quan va caure amb la tempesta van "
     "haver "
     "de trobar un altre camí cap al mercat. Ningú no sabia quant de temps passaria fins que el poguessin creuar."},
    {"italian",
     "Il vecchio ponte fu costruito dalla gente che viveva dall'altra parte del fiume, e quando cadde nella tempesta "
     "dovettero "
     "trovare un'altra strada per il mercato. Nessuno sapeva quanto tempo ci sarebbe voluto prima di passare di "
     "nuovo."},
    {"romanian",
     "Podul vechi a fost construit de oamenii care trăiau pe cealaltă parte a râului, și când a căzut în furtună ei au "
     "trebuit să găsească un alt drum către piață. Nimeni nu știa cât timp va dura până când se va putea trece din "
     "nou."},
    {"russian",
     "Старый мост был построен людьми, которые жили на другой стороне реки, и когда он упал во время бури, им пришлось "
     "найти другую дорогу на рынок. Никто не знал, как долго это будет продолжаться и что они будут делать."},
    {"serbian",
     "Stari most su sagradili ljudi koji su živeli na drugoj strani reke, i kada se srušio u oluji, morali su da nađu "
     "drugi "
     "put do pijace. Niko nije znao koliko će to trajati pre nego što budu mogli da ga ponovo pređu."},
    {"serbian",
     "Стари мост су саградили људи који су живели на другој страни реке, и када се срушио у олуји, морали су да нађу "
     "други "
     "пут до пијаце. Нико није знао колико ће то трајати пре него што буду могли да га поново пређу."},
    {"lithuanian",
     "Senąjį tiltą pastatė žmonės, kurie gyveno kitoje upės pusėje, ir kai jis per audrą sugriuvo, jie turėjo rasti "
     "kitą "
     "kelią į turgų. Niekas nežinojo, kaip ilgai tai truks ir ar jie dar galės juo eiti, nes tai buvo ne jų tiltas."},
    {"greek",
     "Η παλιά γέφυρα χτίστηκε από τους ανθρώπους που ζούσαν στην άλλη πλευρά του ποταμού, και όταν έπεσε στην "
     "καταιγίδα "
     "έπρεπε να βρουν άλλο δρόμο για την αγορά. Κανείς δεν ήξερε πόσο καιρό θα έπαιρνε."},
    {"armenian",
     "Հին կամուրջը կառուցել էին այն մարդիկ, որոնք ապրում էին գետի մյուս կողմում, և երբ այն փոթորկի ժամանակ փլվեց, "
     "նրանք պետք "
     "է այլ ճանապարհ գտնեին դեպի շուկա։ Ոչ ոք չգիտեր, թե ինչքան ժամանակ է դա տևելու, և ինչ են նրանք անելու"},
    {"finnish",
     "Vanhan sillan rakensivat ihmiset, jotka asuivat joen toisella puolella, ja kun se sortui myrskyssä, heidän oli "
     "pakko "
     "löytää toinen tie torille. Kukaan ei tiennyt, miten kauan se kestäisi ja voisiko siitä vielä kulkea, sillä se "
     "oli ollut "
     "siellä aina."},
    {"hungarian",
     "A régi hidat azok az emberek építették, akik a folyó másik oldalán laktak, és amikor a viharban leomlott, más "
     "utat "
     "kellett találniuk a piacra. Senki sem tudta, hogy meddig tart majd, és hogy mikor lehet újra átmenni."},
    {"basque",
     "Zubi zaharra ibaiaren beste aldean bizi ziren pertsonek egin zuten, eta ekaitzean erori zenean merkatura joateko "
     "beste "
     "bide bat aurkitu behar izan zuten. Inork ez zekien zenbat denbora beharko zuten, baina hura ez zen haien zubia."},
    {"irish",
     "Thóg na daoine a bhí ina gcónaí ar an taobh eile den abhainn an seandroichead, agus nuair a thit sé sa stoirm "
     "bhí orthu "
     "bealach eile a aimsiú go dtí an margadh. Ní raibh a fhios ag aon duine cé chomh fada is a bheadh sé."},
    {"arabic",
     "بنى الجسر القديم الناس الذين كانوا يعيشون على الجانب الآخر من النهر، وعندما سقط في العاصفة كان عليهم أن يجدوا "
     "طريقا آخر "
     "إلى السوق. لم يكن أحد يعرف كم من الوقت سوف يمر قبل أن يعبروا هذا النهر من بعد ذلك"},
    {"hindi",
     "पुराना पुल उन लोगों ने बनाया था जो नदी के दूसरी ओर रहते थे, और जब वह तूफान में गिर गया तो उन्हें बाजार जाने के लिए कोई और रास्ता "
     "खोजना पड़ा। किसी को नहीं पता था कि इसमें कितना समय लगेगा।"},
    {"nepali",
     "पुरानो पुल नदीको अर्को छेउमा बस्ने मानिसहरूले बनाएका थिए, र जब त्यो आँधीमा भत्कियो तब उनीहरूले बजार जानका लागि अर्को बाटो खोज्नु "
     "पर्ने भयो। यो कति समय लाग्छ भन्ने कसैलाई थाहा थिएन र उनीहरू पनि केही गर्न सक्ने थिएनन्।"},
    {"tamil",
     "அந்த பழைய பாலம் ஆற்றின் மறுபக்கம் வாழ்ந்த மக்கள் கட்டியது, ஆனால் அது புயலில் விழுந்த பிறகு அவர்கள் சந்தைக்கு வேறு ஒரு வழி "
     "கண்டுபிடிக்க "
     "வேண்டும் என்று இருந்தது. இது எவ்வளவு காலம் ஆகும் என்று யாருக்கும் தெரியாது, மேலும் அவர்கள் அங்கே என்ன செய்ய முடியும்?"},
    {"indonesian",
     "Jembatan tua itu dibangun oleh orang yang tinggal di seberang sungai, dan ketika roboh dalam badai mereka harus "
     "mencari "
     "jalan lain ke pasar. Tidak ada yang tahu berapa lama itu akan berlangsung sebelum mereka bisa menyeberang lagi."},
    {"turkish",
     "Eski köprü nehrin öbür yakasında yaşayan insanlar tarafından yapılmıştı ve fırtınada yıkıldığı zaman onlar "
     "pazara gitmek "
     "için başka bir yol bulmak zorunda kaldı. Bunun ne kadar süreceğini hiç kimse bilmiyordu, ama her şey çok daha "
     "zor olmuş"},
    // Languages without stems, near to one with them.
    {"none",
     "Starý most postavili lidé, kteří žili na druhé straně řeky, a když se v bouři zřítil, museli najít jinou cestu "
     "na trh. "
     "Nikdo nevěděl, jak dlouho to bude trvat, než se po něm zase bude moci chodit."},
    {"none",
     "Старият мост е построен от хората, които живееха от другата страна на реката, и когато падна в бурята, те "
     "трябваше да "
     "намерят друг път към пазара. Никой не знаеше колко време ще продължи това и какво ще стане с тях."},
    {"none",
     "Старий міст збудували люди, які жили на іншому боці річки, і коли він упав під час бурі, їм довелося шукати іншу "
     "дорогу "
     "на ринок. Ніхто не знав, як довго це триватиме і що з ними буде далі."},
    {"none",
     "Stary most zbudowali ludzie, którzy mieszkali po drugiej stronie rzeki, a kiedy zawalił się w czasie burzy, "
     "musieli "
     "znaleźć inną drogę na targ. Nikt nie wiedział, jak długo to potrwa i co z nimi będzie."},
    {"none",
     "פל הגשר הישן של האנשים אשר גרו בצד השני של הנהר, והם לא ידעו מה לעשות, כי זה היה הגשר היחיד. אבל גם אם היו "
     "יודעים, לא היה "
     "להם עם מי לדבר על זה"},
    {"none",
     "alpha beta gamma delta epsilon zeta theta iota kappa lambda sigma omega one1 two2 three3 four4 five5 six6 seven7 "
     "eight8"},
};

std::string detected(std::string_view text, int times) {
  LanguageDetector detector;
  for (int i = 0; i < times; ++i) detector.add(text);
  return detector.language();
}

TEST(Detection, FindsEachLanguage) {
  for (const Sample& sample : kSamples) EXPECT_EQ(detected(sample.text, 6), sample.language) << sample.text;
}

TEST(Detection, CoversEveryLanguage) {
  for (const std::string& language : word_languages())
    EXPECT_TRUE(std::ranges::any_of(kSamples, [&](const Sample& sample) { return sample.language == language; }))
        << language;
}

TEST(Detection, AsksForFiftyWords) {
  EXPECT_EQ(detected("", 1), "none");
  EXPECT_EQ(detected("the cat and the dog", 9), "none");
  EXPECT_EQ(detected("the cat and the dog", 10), "english");
}

TEST(Detection, TakesTitlesWithFewStopWords) {
  // 2 of 20 words, and none in another list; in 2 of 30 they are too few.
  const std::string nouns = "parser library kernel plugin archive editor browser codec driver daemon ";
  EXPECT_EQ(detected(nouns + nouns.substr(0, 50) + " with the", 10), "english");
  EXPECT_EQ(detected(nouns + nouns + nouns + " with the", 10), "none");
}

TEST(Detection, AsksForClearWinner) {
  // Half Danish, half Norwegian.
  LanguageDetector mixed;
  for (int i = 0; i < 4; ++i) {
    mixed.add(kSamples[3].text);
    mixed.add(kSamples[4].text);
  }
  EXPECT_EQ(mixed.language(), "none");
}

TEST(Detection, TakesThousandWordsOfDocument) {
  LanguageDetector detector;
  std::string german;
  for (int i = 0; i < 1'000; ++i) german += "der Hund und die Katze ";
  detector.add(german);
  for (int i = 0; i < 3'000; ++i) detector.add("the cat");
  EXPECT_EQ(detector.language(), "english");
  EXPECT_FALSE(detector.enough());
  for (int i = 0; i < 6'500; ++i) detector.add("the cat");
  EXPECT_TRUE(detector.enough());
}

}  // namespace
}  // namespace fewdim
