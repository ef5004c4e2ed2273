/** What holds a sentence together and says nothing of what it is about. Without accents, as some people type. */
export const SMALL_WORDS = {
  en: `a an and are as at be been but by can could did do does for from had has have how i if in into is it its
    me my of on or our shall she he should so some than that the their them then there these they this those
    to was we were what when where which who whom whose why will with would you your about tell please`,
  de: `der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden wurde hat
    haben habe hatte kann konnen konnte darf durfen muss mussen soll sollte will mochte ich du er sie es wir ihr mich
    mir mein meine meinen meinem meiner dein deine sein seine unser unsere ihnen ihre ihren ihrem man sich was wer wem
    wen wie wo wohin woher wann ab warum wieso welche welcher welches welchen wieviel in im ins an am auf aus bei beim
    bis durch fur mit nach uber um von vom vor zu zum zur als auch da dann denn doch dort hier wenn ob dass dies diese
    dieser dieses diesen gibt bitte`,
  es: `el la los las lo un una unos unas y o pero es son esta estan era fue ser estar hay ha han he tiene tienen tengo
    puedo puede pueden podemos se me mi mis tu tus su sus nos nuestro nuestra le les yo ella ellos usted ustedes que
    quien quienes como cual cuales cuando donde cuanto cuanta cuantos cuantas por para con de del a al en desde sobre
    si este esta estos estas ese esa eso esto debo debe`,
  fr: `le la les l un une des du de d et ou mais est sont etait a ont ai avez avons je tu il elle on nous vous ils elles
    me m te se s mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces c qui que qu quoi quel
    quelle quels quelles comment combien quand pourquoi dans en sur avec pour par chez au aux ne n y si peut peux puis
    pouvez faut dois doit`,
  it: `il lo la i gli le l un uno una e o ma sono era ha hanno ho io tu lui lei noi voi loro mi ti si ci vi mio mia miei
    mie tuo tua suo sua nostro nostra vostro vostra che chi cosa come quando dove quale quali quanto quanta quanti
    quante perche di a da in con su per del dello della dei degli delle al allo alla ai agli alle dal dalla nel nella
    nei sul sulla se posso puo possono possiamo devo deve questo questa questi queste`,
  pt: `o a os as um uma e ou mas sao era foi ser estar esta estao ha tem tenho posso pode podem podemos me meu minha meus
    minhas seu sua nosso nossa eu tu ele ela nos voce voces eles elas que quem qual quais como quando onde quanto quanta
    quantos quantas porque por para com de do da dos das em no na nas ao aos pelo pela se este isto esse essa isso devo`,
  nl: `de het een en of maar is zijn was waren wordt worden heeft hebben heb had kan kunnen mag mogen moet moeten wil
    willen ik jij je u hij zij ze wij we jullie mij me mijn uw haar ons onze hun wat wie hoe waar wanneer waarom welke
    welk in op aan uit bij voor van met naar door over om te als ook dan dit dat deze die er`,
  pl: `i w we z ze na do od dla o po przez przy czy co jak kto kiedy gdzie dlaczego ile jaki jaka jakie jest sa byl byla
    byc mam ma maja moge moze mozna musze sie to ten ta te moj moja moje nasz nasza ja ty on ona my wy oni`,
  ro: `si sau dar este e sunt era are au am pot poate trebuie un o unei unui al a ai ale in pe la de din cu pentru prin
    ce care cine cum cand unde cat cata cati cate se sa ma imi meu mea mei mele tu el ea noi voi`,
  tr: `ve veya ile bir bu su ne nasil nerede nereden nereye kim hangi neden kac mi mu icin de da ki var ben sen biz siz
    benim`,
  ru: `и в во на с со к ко о об от до по за из у что кто как где когда куда почему сколько какой какая какие можно ли мне
    мой моя я вы мы он она они это этот для или а но есть был была были быть при`,
  el: `ο η το οι τα του της των τον την και ή είναι ήταν έχει έχω μπορώ μπορεί πώς πού πότε ποιος ποια ποιο ποιοι τι γιατί
    πόσο σε στο στη στην στον στα από με για να θα που μου σου`,
}

// A bit for each language; English is the first.
const LISTS = Object.values(SMALL_WORDS)
export const ENGLISH = 1
const LANGUAGES_OF = new Map<string, number>()
LISTS.forEach((words, i) => {
  for (const word of words.split(/\s+/))
    LANGUAGES_OF.set(word, (LANGUAGES_OF.get(word) ?? 0) | (1 << i))
})

/** Languages that a question may be in. */
export type Languages = number

/**
 * By its small words. Another language is it if there are more of them than of English ones: “die” is no article in a question
 * about dice.
 */
export function languagesOf(words: readonly string[]): Languages {
  const counts = LISTS.map(() => 0)
  for (const word of words) {
    const languages = LANGUAGES_OF.get(word) ?? 0
    for (let i = 0; languages >> i > 0; i++) if ((languages >> i) & 1) counts[i]! += 1
  }
  const most = Math.max(...counts)
  if (counts[0] === most) return ENGLISH
  return counts.reduce((all, count, i) => (count === most ? all | (1 << i) : all), ENGLISH)
}

export function isPossible(language: keyof typeof SMALL_WORDS, languages: Languages): boolean {
  return ((languages >> Object.keys(SMALL_WORDS).indexOf(language)) & 1) === 1
}

export function isSmallWord(word: string, languages: Languages): boolean {
  return ((LANGUAGES_OF.get(word) ?? 0) & languages) !== 0
}
