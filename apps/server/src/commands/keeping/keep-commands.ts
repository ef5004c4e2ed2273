import type { Command } from '../command.ts'

const force = { summary: 'replace an existing file' }

/** Commands that back up a server's data, or move it. */
export const KEEP_COMMANDS: Command[] = [
  {
    name: 'backup',
    usage: 'FILE',
    summary: 'write everything to one file; the server may run',
    options: { force },
    examples: ['docent backup /backups/docent-backup.gz', 'docent backup all.gz --force'],
    run: async (call) => (await import('./back-up.ts')).runBackup(call),
  },
  {
    name: 'restore',
    usage: 'FILE',
    summary: 'restore a backup to the data folder, or to an empty PostgreSQL database',
    options: {
      force: { summary: 'also if the folder is not empty; keeps a copy of its database' },
    },
    examples: [
      'DATA_DIR=/srv/chat docent restore /backups/monday.gz',
      'DATABASE_URL=postgres://chat@db/chat docent restore /backups/monday.gz',
    ],
    run: async (call) => (await import('./back-up.ts')).runRestore(call),
  },
  {
    name: 'export',
    usage: 'CHATBOT FILE',
    summary: 'write one chatbot (uuid or name) with all its sources to a file',
    options: { force },
    examples: ['docent export "Museum guide" museum.gz'],
    run: async (call) => (await import('./chatbot-files.ts')).runExport(call),
  },
  {
    name: 'import',
    usage: 'FILE',
    summary: 'create a chatbot from an exported file, with a new uuid',
    options: { user: { takes: 'NAME', summary: 'the owner (default: the first user)' } },
    examples: ['docent import museum.gz --user maria'],
    run: async (call) => (await import('./chatbot-files.ts')).runImport(call),
  },
  {
    name: 'move',
    summary: 'copy everything to PostgreSQL or back while the server runs, then switch',
    options: {
      to: { takes: 'WHERE', summary: 'postgres://…, or sqlite for the data folder' },
      finish: { summary: 'after you stopped the server: copy the rest, compare and switch' },
    },
    examples: [
      'docent move --to postgres://docent@db/docent',
      'docent move --to postgres://docent@db/docent --finish',
      'DATABASE_URL=postgres://chat@db/chat docent move --to sqlite',
    ],
    run: async (call) => (await import('./move.ts')).runMove(call),
  },
]
