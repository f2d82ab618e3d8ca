#include "text/words/stop_words/lists.hpp"

namespace fewdim {

const std::string_view kArabicStops = R"(
أنا نحن أنت أنتم أنتما أنتن هو هي هم هما هن هذا هذه هذان هؤلاء ذلك ذاك تلك أولئك الذي التي الذين اللذان اللتان اللاتي اللواتي
من ما ماذا متى أين كيف لماذا كم أي أية منها منه منهم فيه فيها فيهم به بها بهم له لها لهم لنا لي لك عليه عليها عليهم إليه إليها
عنه عنها معه معها بينهم بينها
في على إلى عن مع بين بعد قبل عند عندما حتى منذ خلال تحت فوق أمام خلف حول ضد دون لدى نحو عبر ضمن بدون أثناء حيث بسبب
و ف ب ل ك أو أم بل لكن ولكن ثم إن أن إنه أنه إنها أنها بأن لأن فإن وأن كأن لعل ليت إذا إذ لو لولا كما بينما أما إما لا لم لن ليس
ليست ليسوا غير سوى إلا قد لقد سوف هل ألا
كان كانت كانوا يكون تكون يكونوا كنت كنا أكون ليكون وكان وكانت صار أصبح أصبحت ظل مازال يزال بات
كل بعض جميع كلا نفس نفسه نفسها ذات أحد إحدى آخر أخرى أكثر أقل جدا أيضا فقط هنا هناك الآن مثل وقد وهو وهي ومن وفي وعلى وما ولا
وهذا وهذه كذلك التى الى فى ان او
)";

const std::string_view kHindiStops = R"(
मैं मुझे मुझको मेरा मेरी मेरे हम हमें हमारा हमारी हमारे तू तुम तुम्हें तुम्हारा तुम्हारी तुम्हारे आप आपको आपका आपकी आपके वह वे उस उसे उसका
उसकी उसके उसने उन उन्हें उनका उनकी उनके उन्होंने यह ये इस इसे इसका इसकी इसके इसने इन इन्हें इनका इनकी इनके इन्होंने अपना अपनी अपने
स्वयं खुद जो जिस जिसे जिसका जिसकी जिसके जिन जिनका जिनकी जिनके जिन्हें कौन किस किसे किसका किसी कुछ क्या कोई सब सभी
का की के को ने से में पर तक द्वारा लिए साथ बाद पहले बिना बीच ऊपर नीचे अंदर बाहर आगे पीछे ओर पास बारे कारण अनुसार
है हैं हूँ हूं हो था थी थे थीं होना होता होती होते होने हुआ हुई हुए होगा होगी होंगे रहा रही रहे रहता गया गई गए गयी जा जाता जाती जाते
जाना कर करना करता करती करते करने किया की किए दिया दी दिए सकता सकती सकते चाहिए वाला वाली वाले लिया
और या एवं तथा लेकिन परन्तु किन्तु मगर कि क्योंकि यदि अगर तो जब तब जैसे वैसे ताकि इसलिए जहाँ जहां वहाँ वहां यहाँ यहां
नहीं न ना मत ही भी तो बहुत अधिक कम सिर्फ केवल अब फिर कब कहाँ क्यों कैसे इतना उतना ऐसा ऐसे ऐसी एक दो
)";

const std::string_view kNepaliStops = R"(
म मलाई मेरो मेरा मेरी हामी हामीलाई हाम्रो हाम्रा तिमी तिमीलाई तिम्रो तपाईं तपाई तपाईंको तपाईंलाई ऊ उ उसलाई उसको उसले उनी उनले उनको
उनलाई उनका उनीहरू उनीहरु उनीहरूको यो यी यस यसको यसले यसका यसलाई यसरी त्यो ती त्यस त्यसको त्यसले आफू आफ्नो आफ्ना आफ्नी आफै जो जसको
जसले जसलाई को कसको कसले के कुन कुनै केही कोही सबै हरेक प्रत्येक
ले लाई का की मा बाट देखि सम्म सँग संग बिना विना लागि बारे बारेमा माथि तल भित्र बाहिर अघि पछि बीच बीचमा द्वारा अनुसार तिर सहित
हो छ छन् छु छौं हुन् हुन हुने हुन्छ हुन्छन् थियो थिए थिइन् भयो भए भएको भएका भएकी भने भन्ने भनेर हुँदै गर्न गर्ने गर्नु गर्छ गरेको गरेका
गरी गर्दै गरियो गरिएको रहेको रहेका रहेछ सक्छ सकिन्छ पर्छ पर्ने दिए दिएको
र वा तथा एवं अथवा तर किनभने यदि भने पनि जब तब जहाँ त्यहाँ यहाँ जस्तै जस्तो त्यस्तै तापनि ताकि
होइन छैन छैनन् न नै मात्र धेरै थोरै अब फेरि त अझ सायद किन कसरी कहाँ कहिले यति त्यति अरू अन्य एक
)";

const std::string_view kTamilStops = R"(
நான் என்னை எனக்கு என் எனது நாம் நாங்கள் எங்கள் நமது எங்களுக்கு நீ நீங்கள் உன் உங்கள் உங்களுக்கு அவன் அவள் அவர் அவர்கள் அவனை அவரை அவரது அவருக்கு
அவர்களை அவர்களுக்கு அவர்களின் அவளை அவளது அது அதை அதன் அதற்கு அதில் அவை அவற்றை இது இதை இதன் இதற்கு இதில் இவை இவர் இவன் இவள் இவர்கள் தன் தனது தான்
தங்கள் தங்களது தாம்
அந்த இந்த எந்த எது எவை யார் என்ன எங்கே எப்போது எப்படி ஏன் எவ்வளவு அங்கே இங்கே அப்போது இப்போது அப்படி இப்படி அங்கு இங்கு
மற்றும் அல்லது ஆனால் எனவே ஆகவே என்று என என்ற எனும் என்னும் என்பது என்பதை ஏனெனில் ஆகையால் மேலும் அதனால் இதனால் ஆகிய ஆகியவை போன்ற போல
மீது மேல் கீழ் உள்ள உள்ளது உள்ளே வெளியே முன் பின் பின்னர் பிறகு முதல் வரை மூலம் வழியாக பற்றி குறித்து இடையே உடன் இல்லாமல் தவிர நோக்கி
இருந்து
ஆகும் ஆக ஆன இருக்கும் இருக்கிறது இருந்தது இருக்க இருந்த இருந்தன இருந்தார் உள்ளன உள்ளனர் உண்டு இல்லை அல்ல வேண்டும் முடியும் முடியாது கூடாது கொண்ட
கொண்டு வந்த செய்ய செய்து செய்த பட்டது
மிகவும் மிக சில பல எல்லா அனைத்து ஒவ்வொரு வேறு மட்டும் கூட இன்னும் ஒரு ஓர் தற்போது
)";

const std::string_view kIndonesianStops = R"(
aku saya ku kami kita kamu engkau kau anda kalian dia ia beliau mereka nya diri sendiri
ini itu tersebut begini begitu demikian siapa apa apakah mana kapan mengapa kenapa bagaimana berapa yang sini situ sana
adalah ialah merupakan yaitu yakni ada berada akan sudah telah sedang masih pernah belum bisa dapat boleh harus mesti
perlu hendak ingin mau menjadi jadi
dan atau tetapi tapi namun melainkan serta lalu kemudian maka sehingga supaya agar karena sebab jika kalau bila apabila
ketika saat sewaktu sejak hingga sampai meskipun walaupun seperti bahwa sebagai selain
di ke dari pada kepada daripada oleh untuk bagi dengan tanpa dalam antara tentang mengenai terhadap atas bawah depan
belakang menurut melalui secara selama sekitar
tidak tak bukan jangan juga pun saja hanya lagi sangat amat sekali lebih paling kurang semua seluruh setiap tiap para
banyak beberapa suatu sebuah seorang lain lainnya pula kah lah sini inilah itulah adanya antaranya
)";

const std::string_view kTurkishStops = R"(
ben beni bana bende benden benim sen seni sana senin o onu ona onda ondan onun biz bizi bize bizim siz sizi size sizin onlar
onları onlara onların kendi kendisi kendini kendine bu bunu buna bunda bundan bunun bunlar bunları bunların şu şunu şuna
şunun şunlar kim kimi kime kimin ne neyi neye hangi hangisi kaç nerede nereye nereden nasıl niçin neden niye
değil var yok idi imiş ise iken olan olarak oldu olduğu olduğunu olup olur olmak olması olmuş olsa ol etmek eden etti ediyor
edilen yapılan dir dır
ve veya ya yahut ama fakat ancak lakin çünkü eğer ki de da hem ne yani hatta oysa ise madem
ile için gibi kadar göre karşı doğru rağmen beri önce sonra üzere dolayı ötürü başka hakkında arasında içinde üzerinde altında
üstünde yanında tarafından üzerine içinden arasındaki
mi mı mu mü çok az daha en pek hiç her hep bütün tüm bazı birkaç birçok bir biri birisi hiçbir şey böyle şöyle öyle burada
orada şimdi artık sadece yalnız bile henüz hala yine diye diğer aynı
)";

}  // namespace fewdim
