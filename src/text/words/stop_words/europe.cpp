#include "text/words/stop_words/lists.hpp"

namespace fewdim {

const std::string_view kRussianStops = R"(
я меня мне мной мною мой моя моё мое мои моего моей моих ты тебя тебе тобой твой твоя твоё твои он его ему им нём нем она её
ее ей ею ней нее неё оно мы нас нам нами наш наша наше наши вы вас вам вами ваш ваша ваше ваши они их ими них ним ними себя
себе собой свой своя своё свое свои своего своей своих своим сам сама само сами
этот эта это эти этого этой этому этих этим этими тот та то те того той тому тех тем теми кто кого кому кем что чего чему
чем чей чья который которая которое которые которого которой которых котором какой какая какое какие такой такая такое
такие весь вся всё все всего всей всех всем всеми
быть был была было были есть буду будет будем будут будучи бы мочь может могут мог могла можно нужно надо нет
и а но да или либо если чтобы хотя потому поэтому когда пока как так же ли ни то где куда откуда почему зачем раз
в во на с со к ко у о об обо от ото из изо за для до по под подо над перед при про без через между среди после около кроме
ради вместо
не уже ещё еще тоже также только лишь даже вот тут там здесь теперь тогда потом очень более менее много сейчас ведь разве
бы
)";

const std::string_view kSerbianStops = R"(
ja mene meni me mi mnom moj moja moje moji ti tebe tebi te tobom tvoj tvoja tvoje on njega njemu ga mu njim ona nje njoj je
joj njom ono mi nas nama nam naš naša naše naši vi vas vama vam vaš vaša vaše oni one njih njima ih im sebe sebi se sobom svoj
svoja svoje svoji svog svojih njegov njegova njegovo njen njena njihov njihova njihove
ovaj ova ovo ovi ove ovog ovoj ovih taj ta to ti te tog toj tih onaj onog onih ko koga kome šta što čega čemu koji koja koje
kojeg kojem kojoj kojih kojima kojim kakav kakva čiji sav sva sve svi svih svim svima
biti sam si je smo ste su jesam jeste jesu bio bila bilo bili bile budem bude budu bi bih bismo biste nisam nije nismo nisu
ću ćeš će ćemo ćete mogu može možemo mogao treba mora moraju nema ima imaju
i a ali ili nego već da ako jer kad kada dok iako kako kao gde gdje pošto zato zbog te pa ni niti li
u na s sa k ka od do iz za o po pod nad pred pri bez kroz među između posle poslije oko protiv prema preko radi osim pre
prije uz tokom
ne samo još takođe također vrlo veoma više manje tu tamo ovde ovdje sada tada onda tako zašto neki neka neke nekoliko
drugi druga svaki svaka mnogo
ја мене мени ме ми мном мој моја моје моји ти тебе теби те тобом твој твоја твоје он њега њему га му њим она ње њој је
јој њом оно нас нама нам наш наша наше наши ви вас вама вам ваш ваша ваше они оне њих њима их им себе себи се собом
свој своја своје своји свог својих његов његова његово њен њена њихов њихова њихове овај ова ово ови ове овог овој
ових тај та то тог тој тих онај оног оних ко кога коме шта што чега чему који која које којег којем којој којих којима
којим какав каква чији сав сва све сви свих свим свима бити сам си смо сте су јесам јесте јесу био била било били биле
будем буде буду би бих бисмо бисте нисам није нисмо нису ћу ћеш ће ћемо ћете могу може можемо могао треба мора морају
нема има имају и а али или него већ да ако јер кад када док иако како као где гдје пошто зато због па ни нити ли у на
с са к ка од до из за о по под над пред при без кроз међу између после послије око против према преко ради осим пре
прије уз током не само још такође такођер врло веома више мање ту тамо овде овдје сада тада онда тако зашто неки нека
неке неколико други друга сваки свака много
)";

const std::string_view kLithuanianStops = R"(
aš manęs man mane manimi mano tu tavęs tau tave tavimi tavo jis jo jam jį juo ji jos jai ją ja mes mūsų mums mus mumis jūs
jūsų jums jus jie jų jiems juos jais joms jas jomis savęs sau save savimi savo pats pati patys
šis ši šio šios šiam šiai šį šią šie šių šiems šiuo šioje šiame tas ta to tos tam tai tą tie tų tiems tuo toje tame tokia
toks tokie tokios kas ko kam ką kuo kuris kuri kurio kurios kuriam kuriai kurį kurią kurie kurių kuriuos kuriame kurioje
koks kokia visas visa visi visos visų viską
būti esu esi yra esame buvo buvau buvome bus būtų būna nėra nebuvo gali galima galėjo turi turėjo reikia tapo
ir bei o bet ar arba nei kad jei jeigu nes kai kol nors todėl taip kaip lyg tarsi tačiau tad
į iš ant po prie su be už dėl per nuo iki pas apie tarp prieš pagal pro link šalia virš
ne jau dar tik pat irgi taip čia ten kur kada kodėl dabar tada labai daug daugiau mažiau kitas kita kiti kitų kiekvienas
vienas viena kai kurie vis net štai
)";

const std::string_view kGreekStops = R"(
ο η το οι τα του της των τον την τους τις στο στη στην στον στους στις στα ένας ένα μια μία έναν μιας ενός
εγώ εμένα με μου εσύ εσένα σε σου αυτός αυτή αυτό αυτοί αυτές αυτά αυτού αυτής αυτών αυτόν αυτήν αυτούς εμείς εμάς μας εσείς
εσάς σας τος εκείνος εκείνη εκείνο εκείνοι εκείνες εκείνα τούτος τούτη τούτο ποιος ποια ποιο ποιοι ποιες τι που πού όποιος
οποίος οποία οποίο οποίοι οποίες οποίου οποίας οποίων οποίους όσο όσοι όσα όλοι όλα όλες όλη όλο όλων άλλος άλλη άλλο άλλοι
άλλες άλλα άλλων ίδιος ίδια ίδιο κάθε κάποιος κάποια κάποιο κάποιοι κανένας καμία κανένα τίποτα κάτι
είμαι είσαι είναι είμαστε είστε ήμουν ήταν ήμασταν υπάρχει υπάρχουν έχω έχεις έχει έχουμε έχετε έχουν είχα είχε είχαν θα να ας
μπορεί μπορούν πρέπει γίνει
και κι ή αλλά όμως ούτε είτε ότι πως πώς αν εάν όταν ενώ επειδή γιατί διότι ώστε όπως καθώς αφού μόλις λοιπόν δηλαδή
σε από για με προς κατά μετά μέχρι ως χωρίς παρά αντί πριν μεταξύ πάνω κάτω μέσα έξω υπό επί σαν περί λόγω
δεν δε μη μην όχι ναι πολύ πολλά πολλοί πιο πλέον ακόμα ακόμη ήδη μόνο τώρα τότε εδώ εκεί επίσης έτσι τόσο
)";

const std::string_view kArmenianStops = R"(
ես ինձ ինձնից իմ դու քեզ քո նա նրան նրա նրանից մենք մեզ մեր դուք ձեզ ձեր նրանք նրանց իր իրեն իրենց իրենք ինքը
այս սա սրա այդ դա դրա այն որը որի որին որից որով որոնք որոնց ով ում ինչ ինչի որ այստեղ այնտեղ ինքն այսպես այդպես
եմ ես է ենք եք են էի էիր էր էինք էիք էին եղել եղավ լինել լինի լինում լինեն պետք կա կան կար կարող կարելի չէ չի չեն չէր ունի ունեն
ուներ
և եւ ու կամ բայց իսկ եթե թե երբ մինչ մինչև որպեսզի քանի որովհետև սակայն ուստի նաև նույնպես այլ նույն էլ միայն
մեջ մասին համար հետ վրա տակ մոտ առանց ըստ դեպի միջև հետո առաջ ընթացքում միջոցով կողմից նկատմամբ որպես իբրև պես
ոչ այո շատ ավելի բոլոր բոլորը ամեն մի մեկ որոշ որեւէ որևէ մյուս ուրիշ ինչպես ինչու որտեղ արդեն դեռ հիմա այժմ այնպես
)";

const std::string_view kFinnishStops = R"(
minä minun minua minut minulle minulla sinä sinun sinua sinut sinulle hän hänen häntä hänet hänelle me meidän meitä meille
te teidän teitä he heidän heitä heille se sen sitä siinä siitä siihen sillä sille siksi ne niiden niitä niissä niistä niihin
niillä itse itsensä
tämä tämän tätä tässä tästä tähän tällä tälle nämä näiden näitä näissä näistä tuo tuon tuota nuo joka jonka jota jossa josta
johon jolla jolle jotka joiden joita joissa joista joihin joilla mikä minkä mitä missä mistä mihin mitkä kuka kenen ketä kuin
joku jokin jotain jonkin
olen olet on olemme olette ovat olin oli olimme olivat ollut olleet olla ole olisi olisivat oleva olevan en et ei emme ette
eivät eikä älä voi voivat voisi voida voidaan voinut pitää täytyy saa saavat tulee
ja tai sekä mutta vaan vaikka että jos kun koska sillä joten jotta eli ennen kuin kunnes niin kuten sitten
kanssa ilman ennen jälkeen aikana alla yllä päällä vieressä luona kautta mukaan varten vastaan välillä asti saakka lisäksi
vuoksi takia noin
myös vain jo vielä nyt sitten silloin siellä täällä tuolla hyvin kovin enemmän vähemmän kaikki kaikkien kaikkia muut muu muun
muita muiden sama saman monet monta moni usein aina ehkä miten miksi milloin näin juuri
)";

const std::string_view kHungarianStops = R"(
a az egy
én engem nekem enyém te téged neked ő őt neki mi minket nekünk ti titeket nektek ők őket nekik maga magát önök ön saját
ez ezt ennek ezek ezeket ezen ebben ebből erre ezzel ehhez azt annak azok azokat azon abban abból arra azzal ahhoz aki akit
akik akinek akiket ami amit amely amelyet amelyek amelynek amelyben amik aminek ki kit mi mit mely melyik milyen
vagyok vagy van vagyunk vannak voltam volt voltak lesz lesznek lett lettek legyen lenne lennének volna lenni nincs nincsenek
sincs kell kellett lehet lehetett tud tudott fog fognak való
és s vagy de hanem azonban pedig viszont hogy ha mert mivel amikor mikor ahol hol míg amíg bár ahogy mint mintha tehát így
ugyanis illetve valamint sem se is
alatt által előtt ellen és felé felett fölött iránt között közé közül közben keresztül körül mellett mellé miatt mögött nélkül
óta során szemben szerint után végett át ki be le fel meg el
nem ne igen már még csak akkor most itt ott oda ide úgy olyan ilyen annyi ennyi több kevés sok nagyon mind minden mindenki
más másik egyes néhány valami valaki semmi senki hogyan miért
)";

const std::string_view kBasqueStops = R"(
eta edo baina ere baino ala ez bai
ni nik niri nire neure hi zu zuk zuri zure zuek zuen hura hark hari haren gu guk guri gure haiek haiei haien bera berak
berari bere berau beren euren elkar
hau honek honi honen honetan hori horrek horri horren horretan hauek hauei hauen horiek horiei horien hartan hartatik
horretarako horregatik nor nork nori noren zer zerk zertan zein zeinek zeinen zenbait batzuk batzuen bat baten batean batek
bati guztia guztiak guztien guzti dena denak beste besteak besteen edozein inor ezer norbait zerbait
naiz zara da gara zarete dira nintzen zinen zen ginen ziren naute nau dut duzu du dugu duzue dute nuen zuen genuen zuten dio
diote zion zioten dizkio zaio zaizkio zitzaion ditu dituzte zituen zituzten litzateke luke izan izango izaten den diren duen
duten dela direla zuela duela dagoen dago daude zegoen zeuden egon egin egiten
gainean azpian aurrean atzean barruan kanpoan artean arte ondoren aurretik bezala gabe buruz bidez aldera kontra gain
baita baldin bada badu bitartean nahiz arren beraz orduan hemen hor han orain oso gehiago gutxiago asko gutxi baizik non
noiz nola zergatik ondoan zehar
)";

const std::string_view kIrishStops = R"(
an na a
mé mise tú tusa sé seisean sí sise muid sinn sinne sibh siad siadsan é í iad mo do ár bhur féin seo sin siúd cé cad céard cén
atá tá táim táimid bhfuil níl raibh bhí bheadh beidh bíonn bheith bíodh is ba b níor nach ab gur gurb
agus nó ach mar má dá mura go nuair óir cé chun ná sula freisin
ag ar as chuig de den do don faoi faoin gan gach go i in idir ina inar iontu le leis len lena ó ón os roimh sa san sna thar
trí um trasna timpeall
agam agat aige aici againn agaibh acu orm ort air uirthi orainn oraibh orthu liom leat léi linn libh leo dom duit dó di dúinn
daoibh dóibh díom díot de dínn díobh uaim uait uaidh uaithi uainn uathu fúm faoi ann inti
ní nár nach níos is aon ceann eile uile gach roinnt mórán cuid anois ansin anseo ansiúd amháin fós riamh chomh conas cathain
cá
)";

}  // namespace fewdim
