import { listErrors } from '@docent/server/src/commands/list-errors.ts'
import { fillTemplate, table } from './fill-template.ts'

export function describeErrors(): string {
  const { errors, fields, limits, models, sources } = listErrors()
  return fillTemplate('errors.md', {
    errors: codeTable(['Code', 'Status', 'Meaning', 'What to do'], errors),
    fields: codeTable(['Type', 'Meaning'], fields),
    limits: codeTable(['Limit', 'Meaning'], limits),
    models: codeTable(['Reason', 'Sentence'], models),
    sources: codeTable(['Code', 'Sentence'], sources),
  })
}

function codeTable(columns: string[], rows: string[][]): string {
  const cells = rows.map(([code, ...rest]) => [`\`${code}\``, ...rest])
  return table(columns, cells)
}
