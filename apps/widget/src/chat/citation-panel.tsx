import { fill } from '@docent/words/words.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ChatApi, Citation, Excerpt } from './chat-api.ts'
import { findQuotes } from './find-quotes.ts'
import { safeHref } from './markdown/parse-inline.ts'
import { Icon } from './parts/icons.tsx'
import { Modal } from './parts/modal.tsx'
import { beginningOf, cutAtCode, readPassage, textOf } from './read-passage.ts'
import { useWords } from './words-context.tsx'

interface CitationPanelProps {
  citation: Citation
  number: number
  answer: string
  readExcerpt: ChatApi['readExcerpt']
  sourceLink: ((citation: Citation) => ReactNode) | undefined
  onClose: () => void
}

/** The cited passage with its quoted words marked. Owners also see the text around it. */
export function CitationPanel({
  citation,
  number,
  answer,
  readExcerpt,
  sourceLink,
  onClose,
}: CitationPanelProps) {
  const words = useWords().chat
  const [excerpt, setExcerpt] = useState<Excerpt>({ before: '', text: citation.text, after: '' })
  const passage = useRef<HTMLQuoteElement>(null)
  const { place } = citation

  useEffect(() => {
    if (!place || !readExcerpt) return
    readExcerpt(place).then(setExcerpt, () => {})
  }, [place, readExcerpt])

  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll again when the surrounding text has loaded
  useEffect(() => {
    passage.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [excerpt])

  const begun = beginningOf(excerpt.before + excerpt.text + excerpt.after)
  const before = readPassage(excerpt.before, begun)
  const cited = readPassage(excerpt.text, before.at(-1))
  const after = readPassage(excerpt.after, cited.at(-1))
  // Mark the words that the answer repeats. If it repeats none, mark the whole cited range.
  const pieces = cutAtCode(findQuotes(textOf(cited), textOf(readPassage(answer))), cited)
  const isRepeated = pieces.some(({ isQuoted }) => isQuoted)
  const href = citation.url ? safeHref(citation.url) : undefined
  return (
    <Modal title={`${number}. ${citation.title}`} className="citation-panel" onClose={onClose}>
      <p className="citation-place">
        {words.quoted}
        {citation.page !== null && ` · ${fill(words.page, { page: citation.page })}`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keyboards must be able to */}
      <blockquote ref={passage} className="passage" tabIndex={0} dir="auto">
        <Pieces of={before} />
        <Pieces
          of={pieces.map((piece) => ({ ...piece, isCited: piece.isQuoted || !isRepeated }))}
        />
        <Pieces of={after} />
      </blockquote>
      <div className="dialog-actions">
        {sourceLink?.(citation)}
        {href && (
          <a className="button" href={href} target="_blank" rel="noopener noreferrer">
            {words.openPage}
            <Icon name="external" size={16} />
          </a>
        )}
      </div>
    </Modal>
  )
}

function Pieces({ of }: { of: { text: string; isCode: boolean; isCited?: boolean }[] }) {
  return of.map(({ text, isCode, isCited }, index) => {
    const Piece = isCited ? 'mark' : 'span'
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text that does not change
      <Piece key={index} className={isCited ? 'cited' : 'around'}>
        {isCode && text !== '' ? <code>{text}</code> : text}
      </Piece>
    )
  })
}
