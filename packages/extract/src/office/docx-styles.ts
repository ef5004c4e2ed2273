import { attribute, walkXml } from '../containers/xml.ts'

export interface Style {
  name: string
  basedOn: string
  outline: number | undefined
  list: string | undefined
}

export function readStyles(bytes: Uint8Array | undefined): Map<string, Style> {
  const styles = new Map<string, Style>()
  let style: Style | undefined
  walkXml(bytes, {
    open(name, attributes) {
      const value = attribute(attributes, 'val') ?? ''
      if (name === 'style') {
        style = { name: '', basedOn: '', outline: undefined, list: undefined }
        styles.set(attribute(attributes, 'styleId') ?? '', style)
      } else if (style && name === 'name') {
        style.name = value
        const level = /^heading (\d)/i.exec(value)?.[1]
        if (level) style.outline = Number(level) - 1
      } else if (style && name === 'basedOn') style.basedOn = value
      else if (style && name === 'outlineLvl') style.outline = Number(value)
      else if (style && name === 'numId') style.list = value
    },
  })
  return styles
}

/** Resolves a style with the properties that it inherits. */
export function findStyle(styles: Map<string, Style>, id: string): Style {
  const found: Style = { name: '', basedOn: id, outline: undefined, list: undefined }
  for (let steps = 0; steps < 20 && found.basedOn !== ''; steps++) {
    const base = styles.get(found.basedOn)
    found.name ||= base?.name ?? ''
    found.outline ??= base?.outline
    found.list ??= base?.list
    found.basedOn = base?.basedOn ?? ''
  }
  return found
}
