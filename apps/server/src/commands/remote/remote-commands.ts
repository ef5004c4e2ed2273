import type { Command, Option } from '../command.ts'

const bot: Option = {
  takes: 'BOT',
  summary: 'UUID or name (default: the last one created or used)',
}
const yes: Option = { summary: 'do not ask for confirmation' }
const settings: Record<string, Option> = {
  model: { takes: 'NAME', summary: 'the language model that answers' },
  prompt: { takes: 'TEXT', summary: 'instructions for the language model' },
  temperature: { takes: 'NUMBER', summary: '0 to 2' },
  citations: { summary: 'cite sources in answers (default); --no-citations turns it off' },
  visibility: { takes: 'WHO', summary: 'private, public or hybrid' },
  'rate-limit': { takes: 'M/S', summary: 'at most M messages in S seconds' },
  'rate-limit-message': { takes: 'TEXT', summary: 'the message over the limit' },
}

/** Commands that talk to a running server. */
export const REMOTE_COMMANDS: Command[] = [
  {
    name: 'login',
    usage: '[URL]',
    summary: 'save the URL of a server and a token from standard input',
    examples: ['docent login https://chat.example.org', 'echo "$TOKEN" | docent login'],
    run: async (call) => (await import('./login.ts')).login(call),
  },
  {
    name: 'logout',
    summary: 'remove the saved URL and token',
    examples: ['docent logout'],
    run: async (call) => (await import('./login.ts')).logout(call),
  },
  {
    name: 'chat',
    usage: '[QUESTION]',
    summary: 'ask a question, or chat interactively or with lines from a pipe',
    options: { bot, session: { takes: 'UUID', summary: 'continue a session' } },
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
    summary: 'list chatbots',
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
    summary: 'change the given settings',
    options: {
      name: { takes: 'NAME', summary: 'a new name' },
      all: { summary: 'update all your chatbots' },
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
    summary: 'delete a chatbot with its sources and sessions',
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
      watch: { summary: 'keep running and add changes in the files and folders' },
      crawl: { summary: 'crawl the whole site of a URL' },
      'max-pages': { takes: 'N', summary: 'the maximum number of pages of a site' },
      refresh: { takes: 'HOURS', summary: 'refresh pages after this many hours' },
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
    summary: 'list the sources of a chatbot with their errors',
    options: { bot },
    examples: ['docent source list --bot "Museum guide"'],
    run: async (call) => (await import('../sources/sources.ts')).listSources(call),
  },
  {
    name: 'source delete',
    usage: 'SOURCE…',
    summary: 'delete sources by UUID or title',
    options: { bot, failed: { summary: 'all failed sources' }, yes },
    examples: ['docent source delete "Opening hours" --yes'],
    run: async (call) => (await import('../sources/sources.ts')).deleteSources(call),
  },
  {
    name: 'source retry',
    usage: 'SOURCE…',
    summary: 'read sources again',
    options: { bot, failed: { summary: 'all failed sources' } },
    examples: ['docent source retry --failed'],
    run: async (call) => (await import('../sources/sources.ts')).retrySources(call),
  },
  {
    name: 'conversations',
    usage: 'FILE',
    summary: 'export conversations to FILE.csv or FILE.jsonl (one JSON object per message)',
    options: {
      bot,
      search: { takes: 'WORDS', summary: 'only conversations with a message that has all words' },
      from: {
        takes: 'DAY',
        summary: 'only conversations active on or after this day, such as 2026-11-15',
      },
      to: { takes: 'DAY', summary: 'only conversations that began on or before this day' },
      channel: { takes: 'WHERE', summary: 'only conversations of widget, share or api' },
      rating: { takes: 'HOW', summary: 'only conversations with an answer rated up or down' },
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
    summary: 'ask all questions of a table and compare with the expected answers and the last run',
    options: {
      bot,
      pass: {
        takes: 'SHARE',
        summary: 'share of the expected words that an answer needs (default: 0.8)',
      },
      results: { takes: 'FILE', summary: 'the file for results (default: FILE.results.json)' },
      'fail-on': {
        takes: 'WHAT',
        summary: 'fail on "any" failure, or only if results are "worse" than before',
      },
    },
    examples: ['docent evals questions.csv', 'docent evals questions.csv --fail-on worse --json'],
    run: async (call) => (await import('./evals.ts')).runEvals(call),
  },
  {
    name: 'mcp',
    summary: 'offer chatbots as tools over the Model Context Protocol',
    examples: ['docent mcp'],
    run: async (call) => (await import('./mcp.ts')).serveMcp(call),
  },
]
