import { type Inline, parseInline } from '@docent/widget/chat/markdown/parse-inline.ts'
import { parseList } from '@docent/widget/chat/markdown/parse-list.ts'
import { parseTable } from '@docent/widget/chat/markdown/parse-table.ts'
import { splitBlocks } from '@docent/widget/chat/markdown/split-blocks.ts'

/** The targets of the links that the chat makes from an answer. */
export function widgetLinks(answer: string): string[] {
  return splitBlocks(answer).flatMap(({ kind, source }) => {
    switch (kind) {
      case 'code':
      case 'rule':
        return []
      case 'quote':
        return widgetLinks(source.replace(/^ {0,3}> ?/gm, ''))
      case 'list':
        return parseList(source).items.flatMap(({ text, rest }) => [
          ...linksOf(parseInline(text)),
          ...widgetLinks(rest),
        ])
      case 'table': {
        const { head, rows } = parseTable(source)
        return [head, ...rows].flat().flatMap((cell) => linksOf(parseInline(cell)))
      }
      default:
        return linksOf(parseInline(source))
    }
  })
}

function linksOf(nodes: Inline[]): string[] {
  return nodes.flatMap((node) => [
    ...(node.type === 'link' ? [node.href] : []),
    ...('children' in node ? linksOf(node.children) : []),
  ])
}
