import { asksHow } from './asks-how.ts'

/** Whoever asks how, why or whether wants the circumstances, too. How and why something *was* so is told in few words. */
const ASKS_FOR_MORE =
  /^\W*(?:can|could|may|might|must|should|shall|will|would|do|does|did|is|are|was|were|has|have|had)\b|\b(?:why(?! (?:did|was|were|had)\b)|how (?:do|does|can|could|should|to|is|are)|what (?:happens|happened|if)|(?:do|must|should|can|may) (?:i|we|you))\b/i
const TELLS =
  /(?:^|[.,;?] )\W{0,3}(?:please |and |(?:can|could) you )*(?:explain|describe|tell (?:me|us) (?:about|more)|give (?:me |us )?an overview|summari[sz]e|elaborate)\b/i
// “What are the main differences between …”, but not “what is the process called”.
const ASKS_FOR_MATTER =
  /^\W*what(?:['’]s| is| are| was| were) (?:the |some |your |our )?(?:[\w-]+ ){0,2}(?:process|procedure|purpose|role|differences?|polic(?:y|ies)|steps?|requirements?|criteria|implications?|responsibilit(?:y|ies)|limitations?|restrictions?|conditions?|consequences|advantages|disadvantages|benefits?|risks?|factors?|reasons?|rules?|options?|terms|guidelines?|drivers?|challenges|trends?|impacts?|effects?)\b(?!.*\bcalled\b)/i
const ASKS_WHAT_IT_DOES =
  /^\W*what (?:does|do) .{1,60} (?:mean|do|offer|include|cover|provide|involve|entail|require|need)\b.{0,40}$|^\W*what (?:protection|services|(?:types|kinds) of)\b/i
// “What is a deductible?”, but neither “what is the capital of …” nor “what are they made of” and “what is it called”.
const ASKS_WHAT_IT_IS =
  /^\W*what(?:['’]s| is| are)(?: an?)? (?!the |used |not )(?:(?!(?:of|for|to|by|known) |\w+['’]s )\S+ ){0,3}(?!(?:as|of|to|by|with|from|in|on|at|for|called|known|named)\b)(?!\w+ed\b)\S+$/i

// “The hours are too high in Excel”: what helps stands beside the sentence that says the same.
const TELLS_TROUBLE =
  /\b(?:is|are|was|were|has|have|isn['’]?t|aren['’]?t|wasn['’]?t|doesn['’]?t|don['’]?t|didn['’]?t|won['’]?t|can['’]?t|cannot|haven['’]?t|hasn['’]?t|got|forgot|lost|broke|broken|hurts?|stopped|stuck|missing|keeps)\b/i
const FEWEST_WORDS = 4

/** Whether an answer takes whole sentences, and more than one: a name or a number is none. */
export function asksToExplain(question: string): boolean {
  return (
    [ASKS_FOR_MORE, TELLS, ASKS_FOR_MATTER, ASKS_WHAT_IT_DOES, ASKS_WHAT_IT_IS].some((pattern) =>
      pattern.test(question),
    ) ||
    asksHow(question) ||
    tellsTrouble(question)
  )
}

function tellsTrouble(question: string): boolean {
  const isStatement = !ASKS.test(question) && !/[?？]\s*$/.test(question)
  return isStatement && TELLS_TROUBLE.test(question) && wordsIn(question) >= FEWEST_WORDS
}

const MOST_KEYWORDS = 4
const ASKS = /\b(?:who|whom|whose|what|which|when|where|why|how)\b/i

/** “Opening hours”: whoever types no more wants what is said under that name. */
export function isKeywords(question: string): boolean {
  return !ASKS.test(question) && wordsIn(question) <= MOST_KEYWORDS
}

function wordsIn(question: string): number {
  return question.trim().split(/\s+/).length
}
