import type { Command, Option } from '../command.ts'

const bot: Option = { takes: 'BOT', summary: 'its uuid or name; else the one made or used last' }
const yes: Option = { summary: 'without asking' }
const settings: Record<string, Option> = {
  model: { takes: 'NAME', summary: 'which language model answers' },
  prompt: { takes: 'TEXT', summary: 'what the model is told' },
  temperature: { takes: 'NUMBER', summary: '0 to 2' },
  citations: { summary: 'cite sources in answers, as a new chatbot does; --no-citations does not' },
  visibility: { takes: 'WHO', summary: 'private, public or hybrid' },
  'rate-limit': { takes: 'M/S', summary: 'at most M messages in S seconds' },
  'rate-limit-message': { takes: 'TEXT', summary: 'what is said over it' },
}

/** Commands that talk to a running server. */
export const REMOTE_COMMANDS: Command[] = [
  {
    name: 'login',
    usage: '[URL]',
    summary: 'save where the server is and a token, which is read from standard input',
    examples: ['docent login https://chat.example.org', 'echo "$TOKEN" | docent login'],
    run: async (call) => (await import('./login.ts')).login(call),
  },
  {
    name: 'logout',
    summary: 'forget them',
    examples: ['docent logout'],
    run: async (call) => (await import('./login.ts')).logout(call),
  },
  {
    name: 'chat',
    usage: '[QUESTION]',
    summary: 'talk to a chatbot; without a question as you type, or line by line from a pipe',
    options: { bot, session: { takes: 'UUID', summary: 'go on with a conversation' } },
    examples: [
      'docent chat',
      'docent chat --bot "Museum guide" "When are you open?"',
      'docent chat --json < questions.txt',
    ],
    run: async (call) => (await import('./chat.ts')).chat(call),
  },
  {
    name: 'bot create',
    usage: 'NAME',
    summary: 'make a chatbot',
    options: settings,
    examples: ['docent bot create "Museum guide" --visibility public'],
    run: async (call) => (await import('./bots.ts')).createBot(call),
  },
  {
    name: 'bot list',
    summary: 'show the chatbots',
    examples: ['docent bot list'],
    run: async (call) => (await import('./bots.ts')).listBots(call),
  },
  {
    name: 'bot show',
    usage: '[BOT]',
    summary: 'show the settings of a chatbot',
    examples: ['docent bot show "Museum guide"'],
    run: async (call) => (await import('./bots.ts')).showBot(call),
  },
  {
    name: 'bot update',
    usage: '[BOT]',
    summary: 'change settings, and only those that are named',
    options: {
      name: { takes: 'NAME', summary: 'another name' },
      all: { summary: 'of all your chatbots' },
      ...settings,
    },
    examples: [
      'docent bot update "Museum guide" --prompt "Answer as a friendly guide."',
      'docent bot update --all --model gpt-5.4-mini',
    ],
    run: async (call) => (await import('./bots.ts')).updateBot(call),
  },
  {
    name: 'bot delete',
    usage: 'BOT',
    summary: 'delete a chatbot with all that it has',
    options: { yes },
    examples: ['docent bot delete "Museum guide" --yes'],
    run: async (call) => (await import('./bots.ts')).deleteBot(call),
  },
  {
    name: 'source add',
    usage: 'WHAT…',
    summary: 'give a chatbot files, folders, pages and tables of questions and answers',
    options: {
      bot,
      watch: { summary: 'go on, with whatever changes in the files and folders' },
      crawl: { summary: 'of an address, take the whole site' },
      'max-pages': { takes: 'N', summary: 'of a site, at most so many pages' },
      refresh: { takes: 'HOURS', summary: 'read pages again after so many hours' },
      'csv-as-file': { summary: 'take a table of questions and answers as a document' },
    },
    examples: [
      'docent source add ./docs faq.csv https://example.org/visit',
      'docent source add ./docs --watch',
      'docent source add https://example.org/ --crawl --max-pages 200 --refresh 24',
    ],
    run: async (call) => (await import('../sources/add-sources.ts')).addSources(call),
  },
  {
    name: 'source list',
    summary: 'show the sources of a chatbot, and why one failed',
    options: { bot },
    examples: ['docent source list --bot "Museum guide"'],
    run: async (call) => (await import('../sources/sources.ts')).listSources(call),
  },
  {
    name: 'source delete',
    usage: 'SOURCE…',
    summary: 'delete sources by uuid or title',
    options: { bot, failed: { summary: 'all that could not be taken in' }, yes },
    examples: ['docent source delete "Opening hours" --yes'],
    run: async (call) => (await import('../sources/sources.ts')).deleteSources(call),
  },
  {
    name: 'source retry',
    usage: 'SOURCE…',
    summary: 'read sources again',
    options: { bot, failed: { summary: 'all that could not be taken in' } },
    examples: ['docent source retry --failed'],
    run: async (call) => (await import('../sources/sources.ts')).retrySources(call),
  },
  {
    name: 'conversations',
    usage: 'FILE',
    summary:
      'write conversations to FILE.csv, a table, or FILE.jsonl, a JSON object for each message',
    options: {
      bot,
      search: { takes: 'WORDS', summary: 'only those with a message that has all of them' },
      from: { takes: 'DAY', summary: 'only those that were not over before, such as 2026-11-15' },
      to: { takes: 'DAY', summary: 'only those that had begun by its end' },
      channel: { takes: 'WHERE', summary: 'only those of widget, share or api' },
      rating: { takes: 'HOW', summary: 'only those with an answer that was rated up or down' },
      force: { summary: 'replace a file that is there' },
    },
    examples: [
      'docent conversations november.csv --from 2026-11-01 --to 2026-11-30',
      'docent conversations tickets.jsonl --bot "Museum guide" --search ticket --rating down',
    ],
    run: async (call) => (await import('./conversations.ts')).writeConversations(call),
  },
  {
    name: 'evals',
    usage: 'FILE.csv',
    summary:
      'ask every question of a table and compare with what is expected, and with the run before',
    options: {
      bot,
      pass: { takes: 'SHARE', summary: 'how much of what is expected an answer has to say (0.8)' },
      results: { takes: 'FILE', summary: 'where runs are kept (FILE.results.json)' },
      'fail-on': { takes: 'WHAT', summary: '"any" failure, or only what is "worse" than before' },
    },
    examples: ['docent evals questions.csv', 'docent evals questions.csv --fail-on worse --json'],
    run: async (call) => (await import('./evals.ts')).runEvals(call),
  },
  {
    name: 'mcp',
    summary: 'offer the chatbots as tools to a program that speaks the Model Context Protocol',
    examples: ['docent mcp'],
    run: async (call) => (await import('./mcp.ts')).serveMcp(call),
  },
]
