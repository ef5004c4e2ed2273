import type { Command, Option } from '../command.ts'

const bot: Option = { takes: 'BOT', summary: 'uuid or name (default: the chatbot used last)' }
const yes: Option = { summary: 'do not ask' }
const settings: Record<string, Option> = {
  model: { takes: 'NAME', summary: 'the model that answers' },
  prompt: { takes: 'TEXT', summary: 'instruction for the model' },
  temperature: { takes: 'NUMBER', summary: 'from 0 to 2' },
  citations: { summary: 'show citations (default); --no-citations hides them' },
  visibility: { takes: 'WHO', summary: 'private, public or hybrid' },
  'rate-limit': { takes: 'M/S', summary: 'at most M messages in S seconds' },
  'rate-limit-message': { takes: 'TEXT', summary: 'message over the rate limit' },
}

/** Commands that talk to a running server. */
export const REMOTE_COMMANDS: Command[] = [
  {
    name: 'login',
    usage: '[URL]',
    summary: 'save a server and a token, read from standard input',
    examples: ['docent login https://chat.example.org', 'echo "$TOKEN" | docent login'],
    run: async (call) => (await import('./login.ts')).login(call),
  },
  {
    name: 'logout',
    summary: 'delete the saved server and token',
    examples: ['docent logout'],
    run: async (call) => (await import('./login.ts')).logout(call),
  },
  {
    name: 'chat',
    usage: '[QUESTION]',
    summary: 'ask a chatbot; without a question, chat in the terminal or read lines from a pipe',
    options: { bot, session: { takes: 'UUID', summary: 'continue a conversation' } },
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
    summary: 'create a chatbot',
    options: settings,
    examples: ['docent bot create "Museum guide" --visibility public'],
    run: async (call) => (await import('./bots.ts')).createBot(call),
  },
  {
    name: 'bot list',
    summary: 'list your chatbots',
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
    summary: 'change the given settings of a chatbot',
    options: {
      name: { takes: 'NAME', summary: 'new name' },
      all: { summary: 'change all your chatbots' },
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
    summary: 'delete a chatbot with its sources and conversations',
    options: { yes },
    examples: ['docent bot delete "Museum guide" --yes'],
    run: async (call) => (await import('./bots.ts')).deleteBot(call),
  },
  {
    name: 'source add',
    usage: 'WHAT…',
    summary: 'add files, folders, web pages, and tables of questions and answers',
    options: {
      bot,
      watch: { summary: 'keep running and add changes in files and folders' },
      crawl: { summary: 'read the whole site at the address' },
      'max-pages': { takes: 'N', summary: 'pages of a site at most' },
      refresh: { takes: 'HOURS', summary: 'read pages again after this many hours' },
      'csv-as-file': { summary: 'add a table of questions and answers as a document' },
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
    summary: 'list the sources of a chatbot, with errors',
    options: { bot },
    examples: ['docent source list --bot "Museum guide"'],
    run: async (call) => (await import('../sources/sources.ts')).listSources(call),
  },
  {
    name: 'source delete',
    usage: 'SOURCE…',
    summary: 'delete sources by uuid or title',
    options: { bot, failed: { summary: 'all sources that failed' }, yes },
    examples: ['docent source delete "Opening hours" --yes'],
    run: async (call) => (await import('../sources/sources.ts')).deleteSources(call),
  },
  {
    name: 'source retry',
    usage: 'SOURCE…',
    summary: 'read sources again',
    options: { bot, failed: { summary: 'all sources that failed' } },
    examples: ['docent source retry --failed'],
    run: async (call) => (await import('../sources/sources.ts')).retrySources(call),
  },
  {
    name: 'conversations',
    usage: 'FILE',
    summary:
      'write conversations to FILE.csv, or to FILE.jsonl with a JSON object for each message',
    options: {
      bot,
      search: { takes: 'WORDS', summary: 'with all of these words in one message' },
      from: { takes: 'DAY', summary: 'with messages on this day or later, such as 2026-11-15' },
      to: { takes: 'DAY', summary: 'begun on this day or earlier' },
      channel: { takes: 'WHERE', summary: 'from widget, share or api' },
      rating: { takes: 'HOW', summary: 'with an answer rated up or down' },
      force: { summary: 'replace an existing file' },
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
      'ask every question of a table, and compare the answers with the expected ones and the last run',
    options: {
      bot,
      pass: { takes: 'SHARE', summary: 'share of the expected words for a pass (default: 0.8)' },
      results: { takes: 'FILE', summary: 'file of the results (default: FILE.results.json)' },
      'fail-on': {
        takes: 'WHAT',
        summary: '"any" failed question (default), or only "worse" ones',
      },
    },
    examples: ['docent evals questions.csv', 'docent evals questions.csv --fail-on worse --json'],
    run: async (call) => (await import('./evals.ts')).runEvals(call),
  },
  {
    name: 'mcp',
    summary: 'serve your chatbots as tools over the Model Context Protocol',
    examples: ['docent mcp'],
    run: async (call) => (await import('./mcp.ts')).serveMcp(call),
  },
]
