// Pages show people, plans or shops as cards: some short lines in a box, and many such boxes beside each other. What belongs
// together there is only told by the boxes.

export interface CardBlock {
  text: string
  isBold: boolean
  /** Which box it stands in, if that may be a card. */
  card?: number
}

const FEWEST_LINES = 2
const MOST_LINES = 8
const LONGEST_LINE = 90
const FEWEST_CARDS = 3

/** Marks the blocks of a box, from one of them on, as those of a card, unless they are several cards already. */
export function markCard(blocks: CardBlock[], from: number, card: number): void {
  const lines = blocks.length - from
  // Before anything is copied: boxes may stand in boxes by the thousand.
  if (lines < FEWEST_LINES || lines > MOST_LINES) return
  const inside = blocks.slice(from)
  if (!inside.every(isShort)) return
  const cards = new Set(inside.map((block) => block.card))
  if (cards.size > 1 && !cards.has(undefined)) return
  for (const block of inside) block.card = card
}

/** Has no title, which would hold it together as well as a box does. */
function isShort({ text, isBold }: CardBlock): boolean {
  return !isBold && text.length <= LONGEST_LINE && !text.includes('\n') && !/^[#`]/.test(text)
}

/** Several cards that follow each other become rows. */
export function joinCards<Block extends CardBlock>(blocks: Block[]): Block[] {
  const joined: Block[] = []
  for (let at = 0; at < blocks.length; ) {
    const cards: Block[][] = []
    let end = at
    while (blocks[end]?.card !== undefined) {
      const { card } = blocks[end]!
      const from = end
      while (blocks[end]?.card === card) end += 1
      cards.push(blocks.slice(from, end))
    }
    if (cards.length >= FEWEST_CARDS) {
      const rows = cards.map((card) => card.map(({ text }) => text).join(' | '))
      joined.push({ ...blocks[at]!, text: rows.join('\n') })
    } else joined.push(...blocks.slice(at, Math.max(end, at + 1)))
    at = Math.max(end, at + 1)
  }
  return joined
}
