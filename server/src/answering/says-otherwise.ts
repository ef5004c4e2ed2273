import { stemmer as stem } from '@orama/stemmers/english'

// What a sentence says differently from what a question takes for granted. The words are English, like the reader.

/**
 * Whether a sentence has the opposite of a word of the question, or speaks of another year or share. A reader compares
 * words, and finds which cities are the largest in a sentence on the smallest ones.
 */
export function saysOtherwise(question: string, sentence: string): boolean {
  return (
    saysOpposite(question, sentence) || NUMBERS.some((kind) => differ(kind, question, sentence))
  )
}

function saysOpposite(question: string, sentence: string): boolean {
  // “No, it is excluded” answers whether it is included, and “it is not known” what is unknown.
  if (ASKS_WHETHER.test(question) || DENIES.test(sentence)) return false
  const asked = stemsOf(question.replace(HOW_MUCH, ''))
  const said = stemsOf(sentence)
  if (asked.has('non') && !said.has('non')) return true
  const opposites = [...said].flatMap(oppositesOf)
  // Who asks “faster or slower?” takes neither for granted.
  const denied = opposites.filter(({ word, opposite }) => asked.has(opposite) && !asked.has(word))
  return denied.some(({ opposite }) => !said.has(opposite))
}

function oppositesOf(word: string): { word: string; opposite: string }[] {
  const stripped = PREFIXES.filter((prefix) => word.startsWith(prefix))
    .map((prefix) => word.slice(prefix.length))
    .filter(({ length }) => length >= SHORTEST)
  const prefixed = word.length >= SHORTEST ? PREFIXES.map((prefix) => prefix + word) : []
  const opposites = [...(OPPOSITES.get(word) ?? []), ...stripped, ...prefixed]
  return opposites.map((opposite) => ({ word, opposite }))
}

function differ(kind: RegExp, question: string, sentence: string): boolean {
  const said = sentence.match(kind)
  const asked = question.match(kind)
  return said !== null && asked !== null && !asked.some((number) => said.includes(number))
}

function stemsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[a-z]+/g) ?? []).map((word) => stem(word)))
}

// Years, places in a row, shares.
const NUMBERS = [
  /\b(?:1\d|20)\d\d\b/g,
  /\b\d+(?:st|nd|rd|th)\b/gi,
  /\b\d+(?:[.,]\d+)?(?= ?(?:%|percent))/g,
]
const ASKS_WHETHER =
  /^\W*(?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|may|might|must|has|have|had)(?:n['’]t)?\b/i
// “How long does it take?” says nothing of long ones.
const HOW_MUCH = /\bhow \w+/gi
const DENIES = /\b(?:not|no|never|neither|nor|cannot|without|rather|instead)\b|n['’]t\b/i
// *Registered* and *unregistered*.
const PREFIXES = ['un', 'non', 'dis', 'in', 'im', 'il', 'ir', 'mis']
const SHORTEST = 4

// Neither those that say the same from the other side (what one buys the other sells, and who is open from 9 to 5 closes
// at 5), nor words that mean something else as often (light, spring, like).
const PAIRS = [
  'largest smallest|biggest smallest|highest lowest|oldest newest|oldest youngest|longest shortest|most least|more less',
  'more fewer|greatest least|earlier later|early late|earliest latest|first last|increase decrease|rise fall|rose fell',
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
  'advantage disadvantage|benefit drawback|gain loss|raise lower|expand shrink|multiply divide|strengthen weaken',
  'improve worsen|cause prevent|encourage discourage|protect harm|accelerate decelerate|advance retreat|simple complex',
  'simplest complex|gross net|ascend descend|permanent temporary|voluntary compulsory|optional required',
  'mandatory optional|liquid solid|deep shallow|deepest shallowest|wide narrow|thick thin|vertical horizontal',
  'guilty innocent|active passive|superior inferior|senior junior|acquit convict|abundant scarce|safe dangerous',
  'sweet bitter|clean dirty|alive dead|nearest farthest|closest farthest',
]

const OPPOSITES = new Map<string, string[]>()
for (const pair of PAIRS.flatMap((row) => row.split('|'))) {
  const [one, other] = pair.split(' ').map((word) => stem(word)) as [string, string]
  OPPOSITES.set(one, [...(OPPOSITES.get(one) ?? []), other])
  OPPOSITES.set(other, [...(OPPOSITES.get(other) ?? []), one])
}
