import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describeApi } from '@docent/server/src/commands/describe-api.ts'
import { migrate } from '@docent/server/src/database/migrate.ts'
import { connectSqlite } from '@docent/server/src/database/sqlite/connect-sqlite.ts'
import { writeClientRecords } from './client-records.ts'
import { describeCommands } from './reference/describe-commands.ts'
import { describeErrors } from './reference/describe-errors.ts'
import { describeMetrics } from './reference/describe-metrics.ts'
import { describeSettings, writeEnvExample } from './reference/describe-settings.ts'

// Writes the files that are generated from code. With --check, writes nothing and fails if a file is out of date.

const root = join(import.meta.dirname, '..')
const check = process.argv.includes('--check')
const api = await describeApi()
const generated: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(api, null, 2)}\n`,
  'apps/server/src/database/schema.sql': await schemaSql(),
  'docs/reference/commands.md': describeCommands(),
  'docs/reference/errors.md': describeErrors(),
  'docs/reference/metrics.md': describeMetrics(),
  'docs/reference/settings.md': describeSettings(),
  '.env.example': writeEnvExample(),
}

for (const [file, content] of Object.entries(writeClientRecords(api, '/api/v1/')))
  generated[`packages/client/src/${file}`] = content

let stale = false
for (const [file, content] of Object.entries(generated)) {
  const path = join(root, file)
  if (!check) writeFileSync(path, content)
  else if (readFileSync(path, 'utf8') !== content) {
    stale = true
    process.stderr.write(`${file} is out of date: run "npm run generate" and commit it.\n`)
  }
}
process.exit(stale ? 1 : 0)

async function schemaSql(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-schema-'))
  const file = join(folder, 'docent.db')
  const { db, searchDb } = connectSqlite(file)
  await migrate(db)
  await Promise.all([db.destroy(), searchDb.destroy()])
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'passage_words_%'",
    )
    .all() as { sql: string }[]
  database.close()
  rmSync(folder, { recursive: true })
  return `-- Generated from the migrations by "npm run generate", to be read.\n\n${rows.map(({ sql }) => `${sql};\n`).join('\n')}`
}
