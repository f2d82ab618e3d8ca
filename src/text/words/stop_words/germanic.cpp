#include "text/words/stop_words/lists.hpp"

namespace fewdim {

const std::string_view kEnglishStops = R"(
a an the
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves one who whom whose which what this that these those
be am is are was were been being have has had having do does did doing done will would shall should can could may might
must ought cannot
and or but nor so yet if then else because since as while when where why how whether although though unless until till
than
about above across after against along among around at before behind below beneath beside between beyond by down during
except for from in inside into near of off on onto out outside over per through throughout to toward towards under up
upon via with within without
not no there here now again also only just very too such same other another both each either neither every any some all
most more few own
aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mustn't shan't shouldn't wasn't weren't won't
wouldn't i'm i've i'd i'll you're you've you'd you'll we're we've we'd we'll they're they've they'd they'll he'd he'll
she'd she'll it'd it'll that'll there'll who'd who'll let's it's he's she's that's there's what's who's
)";

const std::string_view kGermanStops = R"(
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines
ich mich mir mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem deiner deines er ihn ihm sein
seine seinen seinem seiner seines sie ihr ihre ihren ihrem ihrer ihres es wir uns unser unsere unseren unserem unserer
unseres euch euer eure euren eurem eurer eures ihnen sich man selbst einander
dieser diese dieses diesen diesem jener jene jenes jenen jenem wer wen wem wessen was welcher welche welches welchen
welchem derer deren dessen denen
bin bist ist sind seid war warst waren wart gewesen wäre wären habe hast hat haben habt hatte hattest hatten gehabt hätte
hätten werde wirst wird werden werdet wurde wurden worden würde würden kann kannst können konnte konnten könnte könnten
muss müssen musste mussten soll sollen sollte sollten will wollen wollte wollten darf dürfen durfte mag mögen möchte
und oder aber denn sondern doch weil da daß dass ob wenn als wie während obwohl damit bevor nachdem bis seit falls sowie
weder noch entweder je desto
an am ans auf auch aus außer bei beim durch für gegen hinter in im ins mit nach neben ohne über um unter von vom vor zu
zum zur zwischen wegen trotz statt gegenüber ab
nicht nur schon noch so hier dort dann nun jetzt sehr mehr alle allen aller alles viel einige etwas nichts
)";

const std::string_view kDutchStops = R"(
de het een der des
ik mij me mijn jij je jou jouw u uw hij hem zijn zij ze haar het wij we ons onze jullie hen hun zich zichzelf men elkaar
deze dit die dat wie wat welke welk wiens
ben bent is zijn was waren geweest heb hebt heeft hebben had hadden gehad word wordt worden werd werden geworden zal
zult zullen zou zouden kan kunt kunnen kon konden mag mogen mocht moet moeten moest moesten wil wilt willen wilde doe
doet doen deed gedaan
en of maar want dus omdat doordat als dan toen terwijl hoewel indien zodat voordat nadat totdat tenzij noch zowel
aan achter af behalve beneden bij binnen boven buiten door in langs met na naar naast om onder op over per sinds te tegen
ten ter tot tussen uit van vanaf vanuit via volgens voor voorbij zonder
niet geen er hier daar waar hoe waarom wanneer toch ook nog al wel zo nu dus reeds slechts zeer meer meest alle alles iets
niets iemand niemand ander andere elk elke ieder iedere veel enkele eens hierbij daarbij waarbij daarom hiervan daarvan
)";

const std::string_view kDanishStops = R"(
en et den det de
jeg mig min mit mine du dig din dit dine han ham hans hun hende hendes sin sit sine vi os vores jer jeres i dem deres sig
selv man hinanden denne dette disse hvem hvad hvilken hvilket hvilke hvis som der
er var være været vær har havde have haft bliver blev blive blevet vil ville skal skulle kan kunne må måtte bør burde
gør gjorde gøre gjort får fik
og eller men at fordi da når hvis om mens selvom siden før end både hverken enten så for thi
ad af bag blandt efter foran fra gennem hos i imellem imod ind inden ind igennem med mellem mod ned nær om omkring op
over på rundt siden til trods uden under ud ved
ikke ingen intet her der hvor hvordan hvorfor hvornår også kun endnu allerede nu jo vel sådan meget mere mest alle alt
anden andet andre noget nogen nogle hver hvert mange flere derfor dog bare lige
)";

const std::string_view kNorwegianStops = R"(
en ei et den det de
jeg meg min mi mitt mine du deg din di ditt dine han ham hans hun henne hennes sin si sitt sine vi oss vår vårt våre dere
deres dem seg selv man hverandre denne dette disse hvem hva hvilken hvilket hvilke som
er var være vært har hadde ha hatt blir ble bli blitt vil ville skal skulle kan kunne må måtte bør burde gjør gjorde
gjøre gjort får fikk
og eller men at fordi da når hvis om mens selv siden før enn både verken enten så for
av bak blant etter foran fra gjennom hos i imellem imot inn innen med mellom mot ned nær om omkring opp over på rundt
til tross uten under ut ved
ikke ingen intet her der hvor hvordan hvorfor også bare ennå allerede nå jo vel slik meget mye mer mest alle alt annen
annet andre noe noen hver hvert mange flere derfor dog kun
eg ikkje me ho dei vere vart vore kva kven korleis noko nokon frå kvar berre vera
)";

const std::string_view kSwedishStops = R"(
en ett den det de
jag mig min mitt mina du dig din ditt dina han honom hans hon henne hennes sin sitt sina vi oss vår vårt våra ni er ert
era dem dom deras sig själv man varandra denna detta dessa denne vem vad vilken vilket vilka vars som
är var vara varit har hade ha haft blir blev bli blivit vill ville ska skall skulle kan kunde måste bör borde får fick
gör gjorde göra gjort må
och eller men att därför då när om medan fast innan än både varken antingen så för utan eftersom samt ty
av bakom bland efter framför från genom hos i inom mellan mot ned nära omkring upp uppe över på runt sedan till trots
under ut ur utanför vid åt med kring
inte ingen inget inga icke ej här där hur varför också bara ännu redan nu ju väl sådan sådant sådana mycket mer mest alla
allt annan annat andra något någon några varje många flera dock endast
)";

const std::string_view kYiddishStops = R"(
דער די דאָס דעם אַ אַן
איך מיך מיר מײַן מײַנע דו דיך דיר דײַן דײַנע ער אים זײַן זײַנע זי איר אירע עס מיר אונדז אונדזער אונדזערע אײַך אײַער זיי
זייער זייערע זיך מען וואָס ווער וועמען וועלכער וועלכע דאָזיקע יענער יענע
בין ביסט איז זענען זײַנען זײַט געווען געווען האָב האָסט האָט האָבן געהאַט וועל וועסט וועט וועלן ווערן ווערט געוואָרן וואָלט
וואָלטן קען קענען קאָן קאָנען קענט מוז מוזן דאַרף דאַרפֿן זאָל זאָלן וויל ווילן מעג
און אָדער אָבער נאָר ווײַל אַז אויב ווען ווי ווו כאָטש בעת ביז כּדי הגם ניט נישט קיין נאָך שוין אויך דאָ דאָרט איצט אַזוי
אין אויף אויפֿן פֿון פֿונעם מיט צו צום צוליב בײַ בײַם פֿאַר פֿאַרן נאָך נאָכן אָן איבער אונטער קעגן צווישן דורך פֿאַרן אום פון
פאר אויפן דאס האט האבן נאך אז קען וואס ווארן צו אלע אַלע אַלץ מער זייער יעדער יעדע עטלעכע אַנדערע
)";

}  // namespace fewdim
