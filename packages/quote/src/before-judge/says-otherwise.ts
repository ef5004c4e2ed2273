import { stemmer as stem } from '@orama/stemmers/english'
import { NEGATES } from './turns-meaning.ts'

// What a sentence says differently from what a question takes for granted. The words are English, like the reader.

/**
 * Whether a sentence has the opposite of a word of the question, or speaks of another year, century or share. A reader
 * compares words, and finds which cities are the largest in a sentence on the smallest ones.
 */
export function saysOtherwise(question: string, sentence: string): boolean {
  if (!ASKS_WHAT.test(question) || ASKS_FOR_HELP.test(question)) return false
  return saysOpposite(question, sentence) || speaksOfOther(question, sentence)
}

export function saysOpposite(question: string, sentence: string): boolean {
  // “It is not known” is what is unknown.
  if (NEGATES.test(sentence)) return false
  const asked = stemsOf(question.replace(HOW_MUCH, ''))
  const said = stemsOf(sentence)
  if (asked.has('non') && !said.has('non')) return true
  // Who asks “faster or slower?” takes neither for granted.
  const isDenied = (opposite: string) => said.has(opposite) && !asked.has(opposite)
  return [...asked].some((word) => !said.has(word) && oppositesOf(word).some(isDenied))
}

function oppositesOf(word: string): string[] {
  const root = word.startsWith('un') ? word.slice(2) : word
  const prefixed = root.length < SHORTEST_ROOT ? [] : [root === word ? `un${word}` : root]
  return [...(OPPOSITES.get(word) ?? []), ...prefixed]
}

function speaksOfOther(question: string, sentence: string): boolean {
  // The answer is a number of the same kind.
  if (ASKS_WHEN.test(question)) return false
  return NUMBERS.some((kind) => {
    const said = sentence.match(kind)
    const asked = question.match(kind)
    return said !== null && asked !== null && !asked.some((number) => said.includes(number))
  })
}

function stemsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[a-z]+/g) ?? []).map((word) => stem(word)))
}

// Not whether something is so, which its opposite answers.
const ASKS_WHAT = /\b(?:who|whom|whose|what|which|where|when|why|how)\b/i
// What helps is often said in opposites: “To unlock it, …”.
const ASKS_FOR_HELP =
  /\b(?:i|my|me|mine|we|our|us|you|your|yours|if|happens?)\b|\bhow (?:to|do|can|could|should)\b/i
const ASKS_WHEN =
  /\b(?:when|what (?:year|date|day|time)|which (?:year|date|day)|how (?:old|long))\b/i
// “How long does it take?” says nothing of long ones.
const HOW_MUCH = /\bhow \w+/gi
// Years, but neither “2000 cables” nor one of a span (“since 1998”, “1998–2004”); centuries; shares.
const NUMBERS = [
  /(?<!(?:since|after|before|until|till|from|between|to|by|and) |[–-])\b(?:1\d|20)\d\d\b(?![–-]| [a-z]+s\b)/g,
  /\b\d+(?:st|nd|rd|th)(?=[ -]century)/gi,
  /\b\d+(?:[.,]\d+)?(?= ?(?:%|percent))/g,
]
// *Registered* and *unregistered*, but not *less* and *unless*.
const SHORTEST_ROOT = 5

// Neither those that say the same from the other side (what one buys the other sells, and who is open from 9 to 5 closes
// at 5), nor words that mean something else as often (light, spring, like).
const PAIRS = [
  'largest smallest|biggest smallest|highest lowest|oldest newest|oldest youngest|longest shortest|most least',
  'greatest least|earlier later|earliest latest|first last|increase decrease|rise fall|rose fell',
  'grow shrink|north south|east west|northern southern|eastern western|male female|men women|man woman|king queen',
  'public private|minimum maximum|common rare|strong weak',
  'stronger weaker|strength weakness|high low|higher lower|upper lower|large small|larger smaller|big small|long short',
  'longer shorter|older newer|older younger|good bad|best worst|better worse|positive negative|include exclude',
  'accept reject|accept refuse|allow forbid|allow prohibit|support oppose|create destroy|built demolished|birth death',
  'love hate|hot cold|warm cool|warmer cooler|hottest coldest|wet dry|heavier lighter|fast slow|faster slower',
  'easy difficult|rich poor|richest poorest|cheap expensive|cheapest dearest|ancient modern|traditional modern',
  'domestic foreign|internal external|inside outside|inner outer|above below|majority minority|always never',
  'success failure|legal illegal|natural artificial|true false|same different|similar different|full empty|peace war',
  'friend enemy|ally enemy|morning evening|summer winter|primary secondary|major minor|urban rural|offensive defensive',
  'advantage disadvantage|benefit drawback|gain loss|expand shrink|multiply divide|strengthen weaken',
  'improve worsen|cause prevent|encourage discourage|protect harm|accelerate decelerate|advance retreat|simple complex',
  'simplest complex|gross net|ascend descend|permanent temporary|voluntary compulsory',
  'mandatory optional|liquid solid|deep shallow|deepest shallowest|wide narrow|thick thin|vertical horizontal',
  'guilty innocent|active passive|superior inferior|senior junior|acquit convict|abundant scarce|safe dangerous',
  'direct indirect|complete incomplete|consistent inconsistent|correct incorrect|accurate inaccurate|active inactive',
  'visible invisible|possible impossible|perfect imperfect|mature immature|regular irregular|relevant irrelevant',
  'responsible irresponsible|agree disagree|appear disappear|approve disapprove|connect disconnect|honest dishonest',
  'similar dissimilar|capable incapable|dependent independent|formal informal|organic inorganic|finite infinite',
  'sufficient insufficient|adequate inadequate|balance imbalance|moral immoral|mortal immortal|logical illogical',
  'legitimate illegitimate|literate illiterate|sweet bitter|clean dirty|alive dead|nearest farthest|closest farthest',
]

const OPPOSITES = new Map<string, string[]>()
for (const pair of PAIRS.flatMap((row) => row.split('|'))) {
  const [one, other] = pair.split(' ').map((word) => stem(word)) as [string, string]
  OPPOSITES.set(one, [...(OPPOSITES.get(one) ?? []), other])
  OPPOSITES.set(other, [...(OPPOSITES.get(other) ?? []), one])
}
