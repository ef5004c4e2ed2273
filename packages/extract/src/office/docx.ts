import { attribute, walkXml } from '../containers/xml.ts'
import { decodeText } from '../detect/decode-text.ts'
import { oneLine } from '../document-text.ts'
import { type ExtractedText, extractHtml } from '../web/html.ts'
import { DocxNumbering } from './docx-numbering.ts'
import { type Context, readPart } from './docx-part.ts'
import { readStyles } from './docx-styles.ts'
import { OfficePackage } from './office-package.ts'

/** Reads headers, body and footers in order. Notes follow their paragraph; repeated headers and footers appear once. */
export function extractDocx(bytes: Uint8Array): ExtractedText {
  const file = new OfficePackage(bytes)
  const main = file.mainPart('word/document.xml')
  const relations = file.relationsOf(main)
  const partsOf = (type: string) => relations.filter((relation) => relation.type === type)
  const find = (type: string) => partsOf(type).flatMap(({ part }) => file.find(part) ?? [])[0]

  const context: Context = {
    styles: readStyles(find('styles')),
    numbering: new DocxNumbering(find('numbering')),
    notes: new Map(),
    imported: (id) => {
      const part = relations.find((relation) => relation.id === id)?.part ?? ''
      const content = /\.x?html?$/i.test(part) ? file.find(part) : undefined
      return content ? extractHtml(decodeText(content)).text : ''
    },
  }
  for (const type of ['footnote', 'endnote']) {
    readNotes(find(`${type}s`), type, context)
  }
  const edgesOf = (type: string) => {
    const texts = partsOf(type).map(({ part }) =>
      readPart(file.find(part), context).text.toString(),
    )
    return [...new Set(texts)].filter((text) => /\p{L}/u.test(text))
  }
  const body = readPart(file.find(main), context)
  const text = [...edgesOf('header'), body.text.toString(), ...edgesOf('footer')]
  return {
    title: file.title() || body.title,
    text: text.filter((part) => part !== '').join('\n\n'),
  }
}

function readNotes(bytes: Uint8Array | undefined, element: string, context: Context): void {
  let id: string | undefined
  let words = ''
  let inText = false
  walkXml(bytes, {
    open(name, attributes) {
      if (name === element) {
        // Other types are the separator lines between notes and text.
        const type = attribute(attributes, 'type') ?? 'normal'
        id = type === 'normal' ? attribute(attributes, 'id') : undefined
        words = ''
      } else if (name === 'p' || name === 'tab' || name === 'br') words += ' '
      inText = name === 't'
    },
    read(data) {
      if (inText) words += data
    },
    close(name) {
      inText = false
      if (name !== element || id === undefined || words.trim() === '') return
      const mark = element === 'footnote' ? 'Footnote' : 'Endnote'
      context.notes.set(`${element}:${id}`, `${mark}: ${oneLine(words)}`)
    },
  })
}
