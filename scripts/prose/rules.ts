import { measureReadability } from './readability.ts'
import { plain, type Sentence, wordsOf } from './sentences.ts'
import TERMS from './terms.json' with { type: 'json' }

export interface Finding {
  rule: 'length' | 'opening' | 'term' | 'passive' | 'ease' | 'counted'
  line: number
  message: string
}

const MOST_WORDS = 30
const MOST_PASSIVE = 0.25
const LEAST_EASE = 55
const LEAST_COUNTED = 0.6
const RIDDLE = /^(Whoever|Of those that|That|So many|By itself|Neither|Nor|What (?:is|an?|the))\b/

/** Long sentences, and those that begin like a riddle. */
export function checkSentence({ line, text }: Sentence): Finding[] {
  const said = plain(text)
  const words = wordsOf(said).length
  const opening = said.includes('?') ? undefined : RIDDLE.exec(said)?.[0]
  const findings: Finding[] = []
  if (words > MOST_WORDS) {
    findings.push({ rule: 'length', line, message: `a sentence has ${words} words` })
  }
  if (opening) {
    findings.push({ rule: 'opening', line, message: `a sentence begins with "${opening}"` })
  }
  return findings
}

/** Words that the glossary of ARCHITECTURE.md has another word for. */
export function checkTerms({ line, text }: Sentence): Finding[] {
  const said = plain(text)
  return TERMS.flatMap(({ instead, words, unless }) => {
    const found = new RegExp(`\\b(?:${words})\\b`, 'i').exec(said)?.[0]
    if (!found || (unless && new RegExp(unless, 'i').test(said))) return []
    return [{ rule: 'term' as const, line, message: `"${found}": the glossary says "${instead}"` }]
  })
}

/** Tutorials and how-to guides must be easy to read. */
export function checkReadability(markdown: string): Finding[] {
  const { ease, passive, counted } = measureReadability(markdown)
  const findings: Finding[] = []
  const add = (rule: Finding['rule'], message: string) => findings.push({ rule, line: 1, message })
  if (ease < LEAST_EASE) {
    add('ease', `the reading ease is ${ease.toFixed(1)}; ${LEAST_EASE} is the least`)
  }
  if (passive > MOST_PASSIVE) {
    add(
      'passive',
      `${percent(passive)} of the sentences are passive; ${percent(MOST_PASSIVE)} is the most`,
    )
  }
  if (counted < LEAST_COUNTED) {
    add(
      'counted',
      `only ${percent(counted)} of the words are in sentences; ${percent(LEAST_COUNTED)} is the least`,
    )
  }
  return findings
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
