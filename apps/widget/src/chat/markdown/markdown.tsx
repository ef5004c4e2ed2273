import { memo, type ReactNode } from 'react'
import { CopyButton } from '../parts/copy-button.tsx'
import { type Inline, parseInline } from './parse-inline.ts'
import { parseList } from './parse-list.ts'
import { parseTable } from './parse-table.ts'
import { type Block, splitBlocks } from './split-blocks.ts'

interface MarkdownProps {
  text: string
  /** The text is still streaming. */
  isOpen?: boolean
  renderCitation?: (marker: string) => ReactNode
}

/** Renders Markdown as React elements, never as HTML, so that no text can inject markup. */
export function Markdown({ text, isOpen = false, renderCitation = plainMarker }: MarkdownProps) {
  const blocks = splitBlocks(text)
  return blocks.map((block, index) => (
    <MarkdownBlock
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end
      key={index}
      kind={block.kind}
      source={block.source}
      isOpen={isOpen && index === blocks.length - 1}
      renderCitation={renderCitation}
    />
  ))
}

function plainMarker(marker: string): ReactNode {
  return `[${marker}]`
}

interface BlockProps extends Block {
  isOpen: boolean
  renderCitation: (marker: string) => ReactNode
}

const MarkdownBlock = memo(function MarkdownBlock({
  kind,
  source,
  isOpen,
  renderCitation,
}: BlockProps) {
  const inline = (text: string, open = isOpen) =>
    renderInline(parseInline(text, open), renderCitation)
  switch (kind) {
    case 'heading': {
      const [, marks, line] = /^(#{1,6})\s*(.*)$/.exec(source.trim())!
      const text = line!.replace(/(?<!\s)\s+#+$/, '')
      // The page uses the first heading levels itself.
      const Heading = `h${Math.min(6, marks!.length + 2)}` as 'h3'
      return <Heading>{inline(text)}</Heading>
    }
    case 'code':
      return <CodeBlock source={source} />
    case 'rule':
      return <hr />
    case 'quote':
      return (
        <blockquote>
          <Markdown
            text={source.replace(/^ {0,3}> ?/gm, '')}
            isOpen={isOpen}
            renderCitation={renderCitation}
          />
        </blockquote>
      )
    case 'list':
      return <ListBlock source={source} isOpen={isOpen} renderCitation={renderCitation} />
    case 'table':
      return <TableBlock source={source} inline={(text) => inline(text, false)} />
    case 'paragraph':
      return <p>{inline(source)}</p>
  }
})

function CodeBlock({ source }: { source: string }) {
  const [first = '', ...lines] = source.split('\n')
  const fence = /^\s*(```+|~~~+)/.exec(first)![1]!
  const language = first.trim().slice(fence.length).trim().split(/\s/)[0]
  const isClosed = lines.at(-1)?.trim().startsWith(fence)
  const code = (isClosed ? lines.slice(0, -1) : lines).join('\n')
  return (
    <div className="code-block" dir="ltr">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and keyboards must be able to */}
      <pre tabIndex={0} data-language={language || undefined}>
        <code>{code}</code>
      </pre>
      {isClosed && <CopyButton text={code} />}
    </div>
  )
}

function ListBlock({ source, isOpen, renderCitation }: Omit<BlockProps, 'kind'>) {
  const { ordered, start, items } = parseList(source)
  const children = items.map(({ text, rest }, index) => {
    const grows = isOpen && index === items.length - 1
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: items are only ever added at the end
      <li key={index}>
        {renderInline(parseInline(text, grows && rest === ''), renderCitation)}
        {rest !== '' && <Markdown text={rest} isOpen={grows} renderCitation={renderCitation} />}
      </li>
    )
  })
  return ordered ? <ol start={start}>{children}</ol> : <ul>{children}</ul>
}

function TableBlock({ source, inline }: { source: string; inline: (text: string) => ReactNode }) {
  const { head, align, rows } = parseTable(source)
  const aligned = (index: number) => ({ 'data-align': align[index] ?? 'start' })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and keyboards must be able to
    <div className="table-scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
              <th key={index} scope="col" {...aligned(index)}>
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
            <tr key={at}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
                <td key={index} {...aligned(index)}>
                  {inline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function renderInline(nodes: Inline[], renderCitation: (marker: string) => ReactNode): ReactNode {
  return nodes.map((node, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: nodes are only ever added at the end
    return <InlineNode key={index} node={node} renderCitation={renderCitation} />
  })
}

interface InlineProps {
  node: Inline
  renderCitation: (marker: string) => ReactNode
}

function InlineNode({ node, renderCitation }: InlineProps): ReactNode {
  switch (node.type) {
    case 'text':
      return node.text
    case 'code':
      return <code>{node.text}</code>
    case 'strong':
      return <strong>{renderInline(node.children, renderCitation)}</strong>
    case 'emphasis':
      return <em>{renderInline(node.children, renderCitation)}</em>
    case 'strike':
      return <del>{renderInline(node.children, renderCitation)}</del>
    case 'citation':
      return renderCitation(node.marker)
    case 'link':
      return (
        <a href={node.href} target="_blank" rel="noopener noreferrer nofollow">
          {renderInline(node.children, renderCitation)}
        </a>
      )
  }
}
