import type { Words } from '@docent/words/words.ts'

/** Maps API fields to their labels in the forms. */
function labelsOf(words: Words): Record<string, string> {
  const { common, signIn, sources, settings, share, tokens, account, webhooks, usage } = words
  return {
    name: common.name,
    password: signIn.password,
    current_password: account.current,
    new_password: account.new,
    code: signIn.code,
    url: sources.address,
    max_pages: sources.maxPages,
    max_depth: sources.maxDepth,
    include: sources.include,
    exclude: sources.exclude,
    refresh_hours: sources.refresh,
    question: sources.question,
    answer: sources.answer,
    model: settings.model,
    prompt: settings.prompt,
    temperature: settings.temperature,
    visibility: settings.visibility,
    rate_limit: settings.rateLimit,
    rate_limit_message: settings.rateMessage,
    title: share.heading,
    greeting: share.greeting,
    suggested_questions: share.questions,
    color: share.color,
    allowed_origins: share.origins,
    token_budget: usage.budgetField,
    scopes: tokens.scopes,
    expires_in_days: tokens.expires,
    events: webhooks.events,
    search: common.search,
  }
}

/** The label of the last known field in a path. List entries get their number: “Suggested questions (2)”. */
export function labelOf(path: string[], words: Words): string {
  const labels = labelsOf(words)
  const name = path.findLast((part) => Object.hasOwn(labels, part))
  if (name === undefined) return path.join('.')
  const entry = Number(path.at(-1))
  return Number.isInteger(entry) ? `${labels[name]} (${entry + 1})` : labels[name]!
}
