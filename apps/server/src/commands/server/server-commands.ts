import type { Command } from '../command.ts'

/** Commands that work on the machine of the server, with its settings. */
export const SERVER_COMMANDS: Command[] = [
  {
    name: 'serve',
    summary: 'start the server, as "npm start" does',
    outlivesOutput: true,
    examples: ['docent serve', 'PORT=8080 DATA_DIR=/var/lib/docent docent serve'],
    run: async (call) => (await import('./serve.ts')).serve(call),
  },
  {
    name: 'worker',
    summary: 'take in sources and do nothing else, beside servers on PostgreSQL',
    outlivesOutput: true,
    examples: ['docent worker'],
    run: async (call) => (await import('./worker.ts')).runWorker(call),
  },
  {
    name: 'doctor',
    summary:
      'check settings, database, imports, disk, clock, model providers and the way to the server',
    examples: ['docent doctor', 'DOCENT_URL=https://chat.example.org docent doctor'],
    run: async (call) => (await import('./doctor.ts')).runDoctor(call),
  },
]

const user = { takes: 'NAME', summary: 'whose it is (the first user unless given)' }

/** Commands for users and tokens. They use the data folder directly, with or without a running server. */
export const ACCESS_COMMANDS: Command[] = [
  {
    name: 'user create',
    usage: 'NAME',
    summary: 'make a user',
    examples: ['docent user create maria'],
    run: async (call) => (await import('./users.ts')).createUser(call),
  },
  {
    name: 'user list',
    summary: 'show the users',
    examples: ['docent user list'],
    run: async (call) => (await import('./users.ts')).listUsers(call),
  },
  {
    name: 'user use',
    summary: 'show how much each user has stored, and how much each may',
    examples: ['docent user use', 'docent user use --json'],
    run: async (call) => (await import('./show-use.ts')).showUse(call),
  },
  {
    name: 'user password',
    usage: 'NAME',
    summary: 'set a password, which is read from standard input',
    examples: ['echo "a long enough password" | docent user password maria'],
    run: async (call) => (await import('./users.ts')).changePassword(call),
  },
  {
    name: 'user rename',
    usage: 'OLD NEW',
    summary: 'give a user another name; password, tokens and chatbots stay',
    examples: ['docent user rename owner maria'],
    run: async (call) => (await import('./users.ts')).renameUser(call),
  },
  {
    name: 'user remove',
    usage: 'NAME',
    summary: 'remove a user with the chatbots and tokens that are theirs',
    options: { yes: { summary: 'without asking' } },
    examples: ['docent user remove maria --yes'],
    run: async (call) => (await import('./users.ts')).removeUser(call),
  },
  {
    name: 'token create',
    summary: 'make an API token, which is shown once',
    options: {
      name: { takes: 'NAME', summary: 'to know it by' },
      user,
      scopes: { takes: 'LIST', summary: 'what it may do, of read,write,chat (all unless given)' },
      expires: { takes: 'TIME', summary: 'when it ends: 12h, 30d or a date (never unless given)' },
    },
    examples: ['docent token create --name website --scopes chat,read --expires 90d'],
    run: async (call) => (await import('./tokens.ts')).createToken(call),
  },
  {
    name: 'token list',
    summary: 'show the tokens, without what is secret',
    examples: ['docent token list'],
    run: async (call) => (await import('./tokens.ts')).listTokens(call),
  },
  {
    name: 'token revoke',
    usage: 'ID|NAME',
    summary: 'end a token at once',
    examples: ['docent token revoke website'],
    run: async (call) => (await import('./tokens.ts')).revokeToken(call),
  },
]
