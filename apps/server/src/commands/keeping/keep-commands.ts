import type { Command } from '../command.ts'

const force = { summary: 'replace an existing file' }

/** Commands that back up a server's data, or move it. */
export const KEEP_COMMANDS: Command[] = [
  {
    name: 'backup',
    usage: 'FILE',
    summary: 'back up all data to one file while the server runs',
    options: { force },
    examples: ['docent backup /backups/docent-backup.gz', 'docent backup all.gz --force'],
    run: async (call) => (await import('./back-up.ts')).runBackup(call),
  },
  {
    name: 'restore',
    usage: 'FILE',
    summary: 'restore a backup into the data folder or an empty PostgreSQL database',
    options: { force: { summary: 'also restore into a folder with data; its database is kept' } },
    examples: [
      'DATA_DIR=/srv/chat docent restore /backups/monday.gz',
      'DATABASE_URL=postgres://chat@db/chat docent restore /backups/monday.gz',
    ],
    run: async (call) => (await import('./back-up.ts')).runRestore(call),
  },
  {
    name: 'export',
    usage: 'CHATBOT FILE',
    summary: 'export one chatbot, by UUID or name, with all its sources',
    options: { force },
    examples: ['docent export "Museum guide" museum.gz'],
    run: async (call) => (await import('./export-import.ts')).runExport(call),
  },
  {
    name: 'import',
    usage: 'FILE',
    summary: 'create a chatbot with a new UUID from an exported file',
    options: { user: { takes: 'NAME', summary: 'the owner (default: the first user)' } },
    examples: ['docent import museum.gz --user maria'],
    run: async (call) => (await import('./export-import.ts')).runImport(call),
  },
  {
    name: 'move',
    summary: 'move all data to PostgreSQL or back while the server runs',
    options: {
      to: { takes: 'WHERE', summary: 'postgres://…, or sqlite (the data folder)' },
      finish: { summary: 'copy the last changes, verify and switch; stop the server first' },
    },
    examples: [
      'docent move --to postgres://docent@db/docent',
      'docent move --to postgres://docent@db/docent --finish',
      'DATABASE_URL=postgres://chat@db/chat docent move --to sqlite',
    ],
    run: async (call) => (await import('./move.ts')).runMove(call),
  },
]
