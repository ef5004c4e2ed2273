import { posix } from 'node:path'
import { attribute, textOf, walkXml } from '../containers/xml.ts'
import { ZipArchive } from '../containers/zip.ts'

export interface Relation {
  id: string
  /** The last segment of the type URI: `slide`, `footnotes`, `officeDocument`. */
  type: string
  /** The target's path in the package. */
  part: string
}

/** The parts of an Office file and the relations between them. */
export class OfficePackage {
  readonly #zip: ZipArchive

  constructor(bytes: Uint8Array) {
    this.#zip = new ZipArchive(bytes)
  }

  find(part: string): Uint8Array | undefined {
    return this.#zip.find(part)
  }

  /** Lists a part's relations within the package. Pass '' for the package itself. */
  relationsOf(part: string): Relation[] {
    const folder = posix.dirname(part)
    const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
    const relations: Relation[] = []
    walkXml(this.#zip.find(name), {
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

  /** The title property, unless a program generated it. */
  title(): string {
    return ignoreGeneratedTitle(textOf(this.#zip.find('docProps/core.xml'), 'title'))
  }
}

/** Returns an empty string for titles that programs generate. */
export function ignoreGeneratedTitle(title: string): string {
  const isMade = /^(PowerPoint Presentation|Microsoft \w+ - .*|Document\d*|Untitled.*)$/i.test(
    title,
  )
  return isMade ? '' : title
}
