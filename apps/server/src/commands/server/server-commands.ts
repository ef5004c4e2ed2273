import type { Command } from '../command.ts'

/** Commands that work on the machine of the server, with its settings. */
export const SERVER_COMMANDS: Command[] = [
  {
    name: 'serve',
    summary: 'start the server, like "npm start"',
    outlivesOutput: true,
    examples: ['docent serve', 'PORT=8080 DATA_DIR=/var/lib/docent docent serve'],
    run: async (call) => (await import('./serve.ts')).serve(call),
  },
  {
    name: 'worker',
    summary: 'only import sources, beside servers on PostgreSQL',
    outlivesOutput: true,
    examples: ['docent worker'],
    run: async (call) => (await import('./worker.ts')).runWorker(call),
  },
  {
    name: 'doctor',
    summary: 'check settings, database, imports, disk, clock, model providers and the connection',
    examples: ['docent doctor', 'DOCENT_URL=https://chat.example.org docent doctor'],
    run: async (call) => (await import('./doctor.ts')).runDoctor(call),
  },
]

const user = { takes: 'NAME', summary: 'the owner (default: the first user)' }

/** Commands for users and tokens. They use the data folder directly, with or without a running server. */
export const ACCESS_COMMANDS: Command[] = [
  {
    name: 'user create',
    usage: 'NAME',
    summary: 'create a user',
    examples: ['docent user create maria'],
    run: async (call) => (await import('./users.ts')).createUser(call),
  },
  {
    name: 'user list',
    summary: 'list users',
    examples: ['docent user list'],
    run: async (call) => (await import('./users.ts')).listUsers(call),
  },
  {
    name: 'user use',
    summary: 'show the storage use and limits of each user',
    examples: ['docent user use', 'docent user use --json'],
    run: async (call) => (await import('./show-use.ts')).showUse(call),
  },
  {
    name: 'user password',
    usage: 'NAME',
    summary: 'set a password from standard input',
    examples: ['echo "a long enough password" | docent user password maria'],
    run: async (call) => (await import('./users.ts')).changePassword(call),
  },
  {
    name: 'user rename',
    usage: 'OLD NEW',
    summary: 'rename a user; password, tokens and chatbots stay',
    examples: ['docent user rename owner maria'],
    run: async (call) => (await import('./users.ts')).renameUser(call),
  },
  {
    name: 'user remove',
    usage: 'NAME',
    summary: 'remove a user with all chatbots and tokens',
    options: { yes: { summary: 'do not ask for confirmation' } },
    examples: ['docent user remove maria --yes'],
    run: async (call) => (await import('./users.ts')).removeUser(call),
  },
  {
    name: 'token create',
    summary: 'create an API token, which is shown once',
    options: {
      name: { takes: 'NAME', summary: 'a name for the token' },
      user,
      scopes: { takes: 'LIST', summary: 'any of read,write,chat (default: all)' },
      expires: { takes: 'TIME', summary: 'when it expires: 12h, 30d or a date (default: never)' },
    },
    examples: ['docent token create --name website --scopes chat,read --expires 90d'],
    run: async (call) => (await import('./tokens.ts')).createToken(call),
  },
  {
    name: 'token list',
    summary: 'list tokens without their secrets',
    examples: ['docent token list'],
    run: async (call) => (await import('./tokens.ts')).listTokens(call),
  },
  {
    name: 'token revoke',
    usage: 'ID|NAME',
    summary: 'revoke a token immediately',
    examples: ['docent token revoke website'],
    run: async (call) => (await import('./tokens.ts')).revokeToken(call),
  },
]
