import type { FoundPassage } from '@docent/quote/found-passage.ts'
import { askingHeading } from '@docent/text/faq-heading.ts'

// A longer joined passage would crowd out others.
const MAX_LENGTH = 2_600

/** Joins consecutive passages of one document. The result takes the place of the better one. */
export function joinNeighbors(found: FoundPassage[]): FoundPassage[] {
  const joined: FoundPassage[] = []
  for (const passage of found) {
    const before = joined.findIndex((one) => follows(passage, one))
    if (before >= 0) {
      joined[before] = join(joined[before]!, passage, joined[before]!)
      continue
    }
    const after = joined.findIndex((one) => follows(one, passage))
    if (after >= 0) joined[after] = join(passage, joined[after]!, joined[after]!)
    else joined.push(passage)
  }
  return joined
}

function follows(later: FoundPassage, earlier: FoundPassage): boolean {
  return (
    later.build === earlier.build &&
    later.position === earlier.position + earlier.count &&
    later.page === earlier.page &&
    later.ends_at - earlier.starts_at <= MAX_LENGTH &&
    // An asking heading begins another question with its own answer.
    askingHeading(later.text) === 0
  )
}

/** The scores of the better passage apply to both. Each sentence keeps its own coverage. */
function join(earlier: FoundPassage, later: FoundPassage, better: FoundPassage): FoundPassage {
  const shift = earlier.text.length + later.gap.length
  return {
    ...better,
    passage_id: earlier.passage_id,
    position: earlier.position,
    count: earlier.count + later.count,
    starts_at: earlier.starts_at,
    ends_at: later.ends_at,
    gap: earlier.gap,
    lead: earlier.lead,
    text: earlier.text + later.gap + later.text,
    partStarts: [...earlier.partStarts, ...later.partStarts.map((start) => start + shift)],
    sentenceCoverage: [...earlier.sentenceCoverage, ...later.sentenceCoverage],
  }
}
