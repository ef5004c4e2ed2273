import { posix } from 'node:path'
import { attribute, walkXml } from '../containers/xml.ts'
import { ZipArchive } from '../containers/zip.ts'

export interface Relation {
  id: string
  /** The last word of its type: `slide`, `footnotes`, `officeDocument`. */
  type: string
  /** The part's name in the package. */
  part: string
}

/** The parts of an Office file and how they refer to each other. */
export class OfficePackage {
  readonly #zip: ZipArchive

  constructor(bytes: Uint8Array) {
    this.#zip = new ZipArchive(bytes)
  }

  find(part: string): Uint8Array | undefined {
    return this.#zip.find(part)
  }

  /** What a part refers to within the package; '' for the package itself. */
  relationsOf(part: string): Relation[] {
    const folder = posix.dirname(part)
    const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
    const bytes = this.#zip.find(name)
    const relations: Relation[] = []
    if (!bytes) return relations
    walkXml(bytes, {
      open(element, attributes) {
        if (element !== 'Relationship' || attribute(attributes, 'TargetMode') === 'External') return
        const { Id: id = '', Type: type = '', Target: target = '' } = attributes
        relations.push({
          id,
          type: type.slice(type.lastIndexOf('/') + 1),
          part: posix.join('/', target.startsWith('/') ? '' : folder, target).slice(1),
        })
      },
    })
    return relations
  }

  mainPart(usual: string): string {
    return this.relationsOf('').find(({ type }) => type === 'officeDocument')?.part ?? usual
  }

  /** The title in the file's properties, unless a program put it there. */
  title(): string {
    let title = ''
    let inTitle = false
    const properties = this.#zip.find('docProps/core.xml')
    if (!properties) return ''
    walkXml(properties, {
      open: (name) => {
        inTitle = name === 'title'
      },
      text: (data) => {
        if (inTitle) title += data
      },
      close: () => {
        inTitle = false
      },
    })
    return titleUnlessMade(title.replace(/\s+/g, ' ').trim())
  }
}

/** Empty for what programs put there. */
export function titleUnlessMade(title: string): string {
  const isMade = /^(PowerPoint Presentation|Microsoft \w+ - .*|Document\d*|Untitled.*)$/i.test(
    title,
  )
  return isMade ? '' : title
}
