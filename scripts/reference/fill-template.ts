import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Replaces each `{{name}}` in a template of this folder. Fails if a part is missing or unused. */
export function fillTemplate(file: string, parts: Record<string, string>): string {
  const template = readFileSync(join(import.meta.dirname, file), 'utf8')
  const unused = new Set(Object.keys(parts))
  const page = template.replace(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`${file} has an unknown part: ${name}`)
    unused.delete(name)
    return part
  })
  if (unused.size > 0) throw new Error(`${file} does not use: ${[...unused].join(', ')}`)
  return page
}

export function table(columns: string[], rows: string[][]): string {
  const escaped = rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')))
  const [head, ...lines] = [columns, ...escaped].map((cells) => `| ${cells.join(' | ')} |`)
  return [head, `|${'---|'.repeat(columns.length)}`, ...lines].join('\n')
}

export function upperFirst(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1)
}
