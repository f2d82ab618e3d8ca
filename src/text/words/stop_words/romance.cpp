#include "text/words/stop_words/lists.hpp"

namespace fewdim {

const std::string_view kFrenchStops = R"(
le la les l un une des du de d au aux
je j me m moi mon ma mes mien mienne tu te t toi ton ta tes tien il lui elle elles ils se s soi son sa ses sien sienne on
nous notre nos vous votre vos leur leurs eux en y ce c cet cette ces ceci cela ça celui celle ceux celles qui que qu quoi
dont où lequel laquelle lesquels lesquelles duquel auquel quel quelle quels quelles
suis es est sommes êtes sont étais était étions étiez étaient serai sera serons serez seront serait seraient sois soit
soient fut furent été étant être ai as a avons avez ont avais avait avions aviez avaient aurai aura aurons auront aurait
auraient eu eut eurent aie ait aient ayant avoir fait faire peut peuvent pouvait pouvoir doit doivent devait devoir va vont
et ou mais donc or ni car si comme quand lorsque lorsqu puisque puisqu quoique quoiqu afin parce tandis ainsi alors
à après avant avec chez contre dans depuis derrière dès devant durant entre envers hors jusque jusqu malgré par parmi
pendant pour sans sauf selon sous sur vers
ne n pas plus point jamais rien non oui aussi encore très trop peu même mêmes tout toute tous toutes autre autres chaque
plusieurs quelque quelques aucun aucune ici là déjà moins tel telle tels telles
)";

const std::string_view kSpanishStops = R"(
el la los las lo un una unos unas al del
yo me mí mi mis mío mía tú te ti tu tus tuyo tuya usted ustedes él ella ello ellos ellas se sí su sus suyo suya suyos suyas
nos nosotros nosotras nuestro nuestra nuestros nuestras os vosotros vosotras vuestro vuestra le les este esta esto estos
estas ese esa eso esos esas aquel aquella aquello aquellos aquellas que qué quien quién quienes cual cuál cuales cuyo cuya
soy eres es somos sois son era eras éramos eran fui fue fuimos fueron será serán sería serían sea sean fuera siendo sido
ser estoy está estás estamos están estaba estaban estuvo estado estar he has ha hemos habéis han había habían hubo habrá
habría haya hayan habido haber hay tengo tiene tienen tenía tenían tener puede pueden podía poder debe deben deber hace
hacen hacer
y e o u ni pero mas sino si porque pues aunque como cuando donde mientras según luego
a ante bajo con contra de desde durante en entre hacia hasta mediante para por sin sobre tras
no más menos muy ya también tampoco así tan tanto todo toda todos todas otro otra otros otras mismo misma mismos mismas
cada algún alguno alguna algunos algunas ningún ninguno ninguna nada algo alguien aquí allí ahí entonces solo sólo aún
todavía cómo dónde cuándo
)";

const std::string_view kPortugueseStops = R"(
o a os as um uma uns umas ao aos à às do da dos das no na nos nas num numa pelo pela pelos pelas dum duma deste desta disto
desse dessa disso daquele daquela neste nesta nisto nesse nessa nisso naquele naquela àquele àquela dele dela deles delas
nele nela neles nelas
eu me mim meu minha meus minhas tu te ti teu tua teus tuas você vocês ele ela eles elas se si seu sua seus suas nós nos
nosso nossa nossos nossas vos vosso lhe lhes este esta isto estes estas esse essa isso esses essas aquele aquela aquilo
aqueles aquelas que quem qual quais cujo cuja cujos cujas quê
sou és é somos são era eras éramos eram fui foi fomos foram será serão seria seriam seja sejam fosse fossem sendo sido ser
estou está estamos estão estava estavam esteve estiveram esteja estar tenho tem têm temos tinha tinham teve tiveram terá
tenha tido ter hei há havia houve haver pode podem podia poder deve devem devia dever faz fazem fazer vai vão
e ou mas nem porém pois porque se como quando onde enquanto embora conforme caso
ante após até com contra de desde durante em entre para perante por sem sob sobre trás
não mais menos muito muita muitos muitas já também assim tão tanto todo toda todos todas outro outra outros outras mesmo
mesma mesmos cada algum alguma alguns algumas nenhum nenhuma nada algo alguém aqui ali lá então só ainda apenas
)";

const std::string_view kCatalanStops = R"(
el la els les l en na un una uns unes al als del dels pel pels cal
jo em me m mi meu meva meus meves tu et te t teu teva teus teves ell ella ells elles es se s si seu seva seus seves nosaltres
ens nos nostre nostra nostres vosaltres us vos vostre vostra vostres vostè li los lo hi ho n ne aquest aquesta aquests
aquestes això aquell aquella aquells aquelles allò aqueix que què qui quin quina quins quines qual quals
sóc soc ets és som sou són era eres érem eren fou foren serà seran seria serien sigui siguin fos estat sent ser ésser estic
està estan estava estaven estar he has ha hem heu han havia havien hagi hagin hagut haver hi té tenen tenia tenir va van
vaig vam vas pot poden podia poder deu deuen fa fan fer
i o ni però sinó si perquè car doncs encara com quan on mentre segons ja
a amb de d des en entre fins per sense sobre sota contra cap durant envers vers malgrat dins
no més menys molt molta molts moltes també tampoc així tan tant tot tota tots totes altre altra altres mateix mateixa cada
algun alguna alguns algunes cap res aquí allà llavors només
)";

const std::string_view kItalianStops = R"(
il lo la i gli le l un uno una al allo alla ai agli alle all del dello della dei degli delle dell dal dallo dalla dai dagli
dalle dall nel nello nella nei negli nelle nell sul sullo sulla sui sugli sulle sull col coi
io me mi mio mia miei mie tu te ti tuo tua tuoi tue egli lui lei esso essa essi esse loro si sé suo sua suoi sue noi ci
nostro nostra nostri nostre voi vi vostro vostra vostri vostre ne questo questa questi queste quest quello quella quelli
quelle quell quei ciò che chi cui quale quali cosa
sono sei è siamo siete ero era eravamo erano fui fu furono sarò sarà saranno sarebbe sarebbero sia siano fosse fossero essendo
stato stata stati state essere sto sta stanno stava stavano ho hai ha abbiamo avete hanno avevo aveva avevano ebbe avrà
avrebbe abbia abbiano avuto avendo avere può possono poteva potere deve devono doveva dovere fa fanno fare viene vengono
e ed o od ma né però se perché poiché quando dove come mentre sebbene anche quindi dunque che
a ad con contro d da di dopo durante entro fino fra in lungo per presso prima senza sopra sotto su tra verso
non più meno molto molta molti molte già ancora così tanto tutto tutta tutti tutte altro altra altri altre stesso stessa
ogni alcuni alcune qualche nessun nessuno nulla niente qui qua lì là ora poi solo c v
)";

const std::string_view kRomanianStops = R"(
un o unui unei unor unii niște al a ai ale cel cea cei cele celui celei celor lui
eu mă mie îmi mi meu mea mei mele tu te tine ție îți ți tău ta tăi tale el ea ei ele îl îi o se sine își și său sa săi sale
noi ne nouă nostru noastră noștri noastre voi vă vouă vostru voastră lor le dânsul acest acesta această aceasta acestui
acestei acești acestea aceste acestor acel acela acea aceea acelui acelei acei acele acelor care cărui cărei căror ce cine
cui
sunt ești este e suntem sunteți era eram erau fost fi fie fii fiind fiecare am ai are avem aveți au avea aveam aveau avut
voi va vom veți vor aș ar ați poate pot putea putem trebuie să
și sau ori dar iar însă ci nici deci că dacă deoarece fiindcă când unde cum cât deși precum până încât
la în din de pe cu fără pentru prin spre sub peste între după înainte împotriva lângă despre către dintre dintr printr într
asupra ca contra
nu mai mult multă mulți multe foarte tot toată toți toate alt altă alți alte altul același aceeași orice oricare câte cât
câțiva unele unul una nimic ceva cineva aici acolo atunci acum doar numai astfel atât încă deja nici
)";

}  // namespace fewdim
