import { stemmer as stem } from '@orama/stemmers/english'

// What turns the meaning of a piece of a sentence that is quoted without it. The words are English, like the reader.

// Governs the whole statement: a condition or an exception,
const CONDITION =
  /\b(?:if|unless|except(?!ional)\w*|exclud\w+|provid(?:ed|ing) (?:that|it|you|they|we|he|she)|(?<=, )provided|(?:as|so) long as|as soon as|in case|subject to|on condition|depend(?:s|ed|ing|ent)? (?:up)?on|otherwise|whenever|once (?:a|all|the|your|it|you|they|we|he|she)|only (?:if|when|after|on|in|with|for|by))\b/i
// or that it is not so,
const DOUBT =
  /\b(?:according to(?! (?:their|its|his|her|our|your)\b)|allegedly|allegations?|reportedly|supposedly|suppositions?|suggestions?|proposals?|rumou?r\w*|false(?:ly)?|fallac\w+|untrue|myth|mistaken(?:ly)?|erroneous(?:ly)?|disput\w+|den(?:y|ies|ied)|refut\w+|doubt\w*|unlikely|unclear|unknown)\b/gi
// or is only said to be so. “Proposed a realignment” and “reported the losses” say what somebody did.
const SAYS =
  'alleg(?:e|es|ed)|claim(?:s|ed|ing)?|suppos(?:e|es|ed)|believ(?:e|es|ed|ing)|argu(?:e|es|ed|ing)|assert(?:s|ed|ing)?|contend(?:s|ed)?|insist(?:s|ed)?|suggest(?:s|ed|ing)?|hypothesi[sz]\\w+|speculat(?:e|es|ed|ing)'
const SAYS_WITH_MORE =
  'said|reported|propos(?:e|es|ed|ing)|says?|writes?|wrote|states?|stated|estimated?|conclude[sd]?|holds?|maintain(?:s|ed)?'
const HEARSAY = new RegExp(
  `\\b(?<verb>${SAYS}|(?:${SAYS_WITH_MORE}) (?:that|to|it|he|she|they|there))\\b`,
  'gi',
)
// Behind a statement, what speaks of that, and not of what follows: “is said to …”, “…, the maker claims.”
const HEARSAY_BEHIND = new RegExp(
  `\\b(?:is|are|was|were|been|be|being|it)\\s(?:\\p{L}+ly\\s)?(?<verb>${SAYS}|(?:${SAYS_WITH_MORE}) (?:that|to))\\b|,\\s(?:[^\\s,.;]+\\s){0,8}(?<verb>${SAYS}|says?|said|reported|wrote|concluded|maintained)\\b(?!\\s(?:that|to)\\b)`,
  'giu',
)
// Governs the clause in which it stands: a negation, that it may be so, a bound,
const DENIAL =
  /\b(?:not|no|nor|none|never|neither|nobody|nothing|nowhere|cannot|without|hardly|barely|instead of|rather than)\b|n['’]t\b/i
const MAYBE =
  /\b(?:whether|perhaps|possibly|probably|may|might|at least|at most|minimum|maximum)\b/i
// or a limit or a duty.
const LIMIT = /\b(?:only|until|till|must|required?|conditions?)\b/i
export const NEGATES =
  /\b(?:not|no|none|never|neither|nobody|nothing|nowhere|cannot|without|except|only|fail\w*)\b|n['’]t\b/i
// “No dogs, cats or birds may …” is a negation to the end of the statement.
const BEGINS_NEGATED = /^\W*(?:no|not|none|nobody|nothing|never|neither|only|few|hardly)\b/i
// Whose words a sentence is, holds to its end.
const BEGINS_QUOTED = /^\W*(?:according to|in the (?:words|opinion|view) of)\b/i
// What has no verb of its own takes that of the statement before: “, and never with vinegar”.
const ADDS_NEGATION = /,\s+(?:and|or|but|nor)\s+(?:not|never|no|only|without)\b/i
// Another statement begins here. After a colon, a semicolon only parts the items of a list.
const STATEMENT =
  /(?<!:\s.{0,200});\s|(?:[\p{L}\d)]{4}[.?!]|\])\s+(?=\p{Lu})|[,)]\s+(?:but|while|whereas|although|though|yet|however)\s(?!not\b|no\b|never\b|only\b|without\b)/gsu
// And here a clause that has a verb, and so its own negation, or one of the kind of “, making it …”.
const CLAUSE =
  /[)]\s|\s[–—]\s|,\s{1,3}(?:which|who|whose|whom|where|because|since|so|as|with|he|she|it|they|we|this|these|there|\p{L}{1,20}ing)\s(?!not\b|no\b|never\b|only\b|without\b)|,?\s{1,3}and\s{1,3}(?:he|she|it|they|we|is|are|was|were|has|have|had)\s(?!not\b|no\b|never\b|only\b|without\b)/giu
// Long enough for the words by which a statement or a clause is known.
const AHEAD = 20
// What is added in brackets or behind a colon explains what stands before.
const ADDITION = /:\s|\s\((?!not\b|no\b|never\b|only\b|without\b)/g

/** What of a question makes it harmless to leave something out. */
export interface Asked {
  /** Whether it has a word, in some form: who says himself that it was said is not misled where an answer does not say it again. */
  says(word: string): boolean
  /** It asks what is not so. */
  denies: boolean
  /** What was so once, and the sentence tells it: nobody acts on it, so that conditions and limits turn little. */
  isOfPast: boolean
}

// Its own verb: neither “without a lead” nor “room no. 5”.
const DENIES_VERB =
  /\b(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)(?:\s[^\s?]+){0,5}?\snot\b|\p{L}n['’]t\b/iu
// “When I am not there, who …”
const SETS_OUT =
  /^\W*(?:when|where)\s(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|may|must|will|would|should)(?:n['’]t)?\b)/i
const QUESTION_WORD = /\b(?:who|whom|whose|what|which|when|where|how|why)\b/i
const NEXT_CLAUSE =
  /\b(?:that|which|who|whom|whose|what|if|when|where|while|because|after|before|since|unless|once)\b/i
const PAST = /\b(?:did|was|were|had)\b/i
const DID =
  '(?!need|speed|feed|exceed|proceed|succeed|provided|required)[a-z]{3,}ed|became|began|built|came|fought|found|gave|held|led|lost|made|ran|sold|took|taught|told|went|won|wrote'
const WHO_DID = new RegExp(`^\\W*who (?:${DID})\\b`, 'i')
const TOLD = new RegExp(`\\b(?:did|was|were|had|${DID})\\b`, 'i')
const PRESENT =
  /\b(?:is|are|do|does|can|could|must|should|may|will|would|has|have|gets?|costs?|applies|apply|needs?)\b/i
// In a sentence that tells what was, could, would and should tell it, too.
const HOLDS =
  /\b(?:is|are|do|does|can|must|may|will|has|have|gets?|costs?|pays?|takes|gives|includes|allows|lasts|ends|expires|opens|closes|applies|apply|needs?)\b/i
// Whoever speaks of himself wants to know what holds for him.
const OF_HIMSELF = /\b(?:i|me|my|mine|we|us|our|ours|you|your|yours)\b/i

/** What matters of a question where a piece of this sentence is to be quoted. */
export function readAsked(question: string, sentence: string): Asked {
  const main = mainClauseOf(question)
  // Seldom needed, and a question may be long.
  let stems: ReadonlySet<string> | undefined
  const findStems = () =>
    new Set(
      question
        .toLowerCase()
        .match(/\p{L}+/gu)
        ?.map((one) => stem(one)),
    )
  return {
    says: (word) => {
      stems ??= findStems()
      return stems.has(stem(word))
    },
    denies: DENIES_VERB.test(main),
    isOfPast: isOfPast(question, main) && tellsThePast(sentence),
  }
}

/** What stands behind its question word: “a device that was bought” is one that is owned, and “I don’t know” no question. */
function mainClauseOf(question: string): string {
  const clauses = question.split(/[,.:;?!]\s/).filter((one) => QUESTION_WORD.test(one))
  const clause = clauses.find((one) => !SETS_OUT.test(one)) ?? clauses[0] ?? question
  const word = QUESTION_WORD.exec(clause)
  const rest = word ? clause.slice(word.index + word[0].length) : clause
  return rest.slice(0, NEXT_CLAUSE.exec(rest)?.index)
}

function isOfPast(question: string, main: string): boolean {
  return (
    (PAST.test(main) || WHO_DID.test(question)) && !PRESENT.test(main) && !OF_HIMSELF.test(question)
  )
}

/** People ask what the fee was that is still to be paid. */
function tellsThePast(sentence: string): boolean {
  return TOLD.test(sentence) && !HOLDS.test(sentence)
}

/** Whether it is doubtful or only said, in words that the question does not have. */
function isSaid(text: string, pattern: RegExp, { says }: Asked): boolean {
  return [...text.matchAll(pattern)].some(({ 0: found, groups }) => {
    const [verb = ''] = (groups?.verb ?? found).toLowerCase().split(' ')
    return !says(verb)
  })
}

// Whatever is asked.
const NOT_TRUE = /(?:\bnot|n['’]t) (?:true|so|correct|the case)\b/i

/** Whether something in a statement governs all of it. */
function governs(statement: string, hearsay: RegExp, asked: Asked): boolean {
  return (
    NOT_TRUE.test(statement) ||
    (!asked.isOfPast && CONDITION.test(statement)) ||
    isSaid(statement, DOUBT, asked) ||
    isSaid(statement, hearsay, asked)
  )
}

function governsClause(clause: string, { denies, isOfPast }: Asked): boolean {
  return (!denies && DENIAL.test(clause)) || (!isOfPast && LIMIT.test(clause)) || MAYBE.test(clause)
}

/** Whether what a piece leaves out before it, in its sentence, turns what it says; it is given up to its answer. */
export function turnsWhatFollows(before: string, piece: string, asked: Asked): boolean {
  const text = before + piece.slice(0, AHEAD)
  const beginnings = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(({ index }) => index + 1).filter((at) => at <= before.length)
  const statement = beginnings(STATEMENT).at(-1) ?? 0
  const last = beginnings(CLAUSE).at(-1) ?? 0
  // Behind its comma, what was said before such a clause goes on.
  const isOver = /,\s/.test((before + piece).slice(last))
  const clause = isOver ? statement : Math.max(statement, last)
  return (
    governs(before.slice(statement), HEARSAY, asked) ||
    governsClause(before.slice(clause), asked) ||
    (BEGINS_QUOTED.test(before) && !asked.says('according')) ||
    (statement === 0 && !asked.denies && BEGINS_NEGATED.test(before))
  )
}

/** Whether what a piece leaves out behind it, in its sentence, turns what it says. */
export function turnsWhatPrecedes(after: string, asked: Asked): boolean {
  const beginning = (pattern: RegExp) => after.matchAll(pattern).next().value?.index ?? after.length
  const statement = beginning(STATEMENT)
  const clause = Math.min(statement, beginning(CLAUSE), beginning(ADDITION))
  const same = after.slice(0, statement)
  return (
    governs(same, HEARSAY_BEHIND, asked) ||
    governsClause(after.slice(0, clause), asked) ||
    ADDS_NEGATION.test(same) ||
    (!asked.isOfPast && isException(after.slice(statement)))
  )
}

/** “, but on Sundays it is not”. */
function isException(next: string): boolean {
  return /^[,)]/.test(next) && NEGATES.test(next.slice(1).split(/;\s/)[0]!)
}

// “Not open …” lacks what “not open on Mondays” says, while “may be bought …” lacks nothing that turns it.
const PARTED = new RegExp(
  `${NEGATES.source}|\\b(?:until|till|whether|nor|hardly|barely|instead|rather)\\b`,
  'i',
)

/** Whether a cut in the middle of a clause would part what governs it from what it governs. */
export function partsWhatGoverns(piece: string, after: string, asked: Asked): boolean {
  const text = `${piece} ${after.slice(0, AHEAD)}`
  const hearsay = [HEARSAY, HEARSAY_BEHIND].flatMap((pattern) => [...text.matchAll(pattern)])
  const isParted = hearsay.some(
    ({ 0: found, index }) => index < piece.length && index + found.length > piece.length,
  )
  return isParted || (!asked.isOfPast && CONDITION.test(text)) || PARTED.test(piece)
}

/** Whether a question asks what is not so, and a sentence denies nothing. */
export function missesNegation(question: string, sentence: string): boolean {
  return ASKS_WHAT_IS_NOT.test(question) && !DENIES.test(sentence)
}

// Of things as they are. What somebody can't do, or what is the case if something isn't, is seldom answered in such words.
const ASKS_WHAT_IS_NOT =
  /^\W*(?:who|whom|whose|what|which|where|when|how (?:many|much))\b(?:(?!\b(?:if|when|that|happens?|i|my|me|we|our|us|you|your)\b).)*(?:\b(?:not|never)\b|n['’]t\b)/i
const DENIES =
  /\b(?:not|no|none|never|neither|nor|nobody|nothing|nowhere|cannot|without|only|but|few|little|hardly|except\w*|exclu\w+|lack\w*|fail\w*|refus\w+|prohibit\w*|forb\w+|bann?ed|instead|rather|unlike|un\w{4,})\b|n['’]t\b/i
