// Pages show people, plans or shops as cards: many boxes side by side, each with a few short lines. Only the boxes show
// which lines belong together.

export interface CardBlock {
  text: string
  isBold: boolean
  /** The box around the block, if it may be a card. */
  card?: number
}

const FEWEST_LINES = 2
const MOST_LINES = 8
const LONGEST_LINE = 90
const FEWEST_CARDS = 3

/** Marks the blocks from `from` on as a card, unless they already are several cards. */
export function markCard(blocks: CardBlock[], from: number, card: number): void {
  const lines = blocks.length - from
  // Check before copying: pages can nest thousands of boxes.
  if (lines < FEWEST_LINES || lines > MOST_LINES) return
  const inside = blocks.slice(from)
  if (!inside.every(isShort)) return
  const cards = new Set(inside.map((block) => block.card))
  if (cards.size > 1 && !cards.has(undefined)) return
  for (const block of inside) block.card = card
}

/** Cards have no title. A title would group the lines as well as a box does. */
function isShort({ text, isBold }: CardBlock): boolean {
  return !isBold && text.length <= LONGEST_LINE && !text.includes('\n') && !/^[#`]/.test(text)
}

/** Turns a run of cards into table rows. */
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
