// What turns the meaning of a piece of a sentence that is quoted without it. The words are English, like the reader.

// Governs the whole statement: a condition, an exception, that it is only said to be so, or is not so.
const GOVERNS =
  /\b(?:if|unless|except(?!ional)\w*|exclud\w+|provid(?:ed|ing) (?:that|it|you|they|we|he|she)|(?<=, )provided|(?:as|so) long as|as soon as|in case|subject to|on condition|depend(?:s|ed|ing|ent)? (?:up)?on|otherwise|whenever|once (?:a|all|the|your|it|you|they|we|he|she)|only (?:if|when|after|on|in|with|for|by)|according to(?! (?:their|its|his|her|our|your)\b)|alleg(?:e|es|ed|edly|ations?)|claim(?:s|ed|ing)?|reported(?:ly)?|suppos\w+|believ\w+|said to|(?:say|says|said|write|writes|wrote|states?|stated|estimated?|conclude[sd]?|holds?|maintain(?:s|ed)?) that|assert(?:s|ed|ing)?|contend(?:s|ed)?|insist(?:s|ed)?|argu(?:e|es|ed|ing)|suggest(?:s|ed|ions?)?|propos\w+|hypothes\w+|speculat\w+|rumou?r\w*|false(?:ly)?|fallac\w+|untrue|myth|mistaken(?:ly)?|erroneous(?:ly)?|disput\w+|den(?:y|ies|ied)|refut\w+|doubt\w*|unlikely|unclear|unknown)\b/i
// Governs the clause in which it stands: a negation, a limit, a duty, or that it may be so.
const GOVERNS_CLAUSE =
  /\b(?:not|no|nor|none|never|neither|nobody|nothing|nowhere|cannot|without|hardly|barely|only|whether|until|till|instead of|rather than|must|required?|conditions?|at least|at most|minimum|maximum|perhaps|possibly|probably|may|might)\b|n['’]t\b/i
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

/** Whether what a piece leaves out before it, in its sentence, turns what it says; it is given up to its answer. */
export function turnsWhatFollows(before: string, piece: string): boolean {
  const text = before + piece.slice(0, AHEAD)
  const beginnings = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(({ index }) => index + 1).filter((at) => at <= before.length)
  const statement = beginnings(STATEMENT).at(-1) ?? 0
  const last = beginnings(CLAUSE).at(-1) ?? 0
  // Behind its comma, what was said before such a clause goes on.
  const isOver = /,\s/.test((before + piece).slice(last))
  const clause = isOver ? statement : Math.max(statement, last)
  return (
    GOVERNS.test(before.slice(statement)) ||
    GOVERNS_CLAUSE.test(before.slice(clause)) ||
    BEGINS_QUOTED.test(before) ||
    (statement === 0 && BEGINS_NEGATED.test(before))
  )
}

/** Whether what a piece leaves out behind it, in its sentence, turns what it says. */
export function turnsWhatPrecedes(after: string): boolean {
  const beginning = (pattern: RegExp) => after.matchAll(pattern).next().value?.index ?? after.length
  const statement = beginning(STATEMENT)
  const clause = Math.min(statement, beginning(CLAUSE), beginning(ADDITION))
  const same = after.slice(0, statement)
  const next = after.slice(statement)
  return (
    GOVERNS.test(same) ||
    ADDS_NEGATION.test(same) ||
    GOVERNS_CLAUSE.test(after.slice(0, clause)) ||
    // “, but on Sundays it is not” is an exception.
    (/^[,)]/.test(next) && NEGATES.test(next.slice(1).split(/;\s/)[0]!))
  )
}

// “Not open …” lacks what “not open on Mondays” says, while “may be bought …” lacks nothing that turns it.
const PARTED = new RegExp(
  `${NEGATES.source}|\\b(?:until|till|whether|nor|hardly|barely|instead|rather)\\b`,
  'i',
)

/** Whether a cut in the middle of a clause would part what governs it from what it governs. */
export function partsWhatGoverns(piece: string, after: string): boolean {
  return GOVERNS.test(`${piece} ${after.slice(0, AHEAD)}`) || PARTED.test(piece)
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
