import { systemFaultOf } from './provider-error.ts'
import type { ProviderSettings } from './provider-settings.ts'

export interface ProviderCheck {
  provider: string
  /** A sentence that says what to do. Undefined if the check passed. */
  problem: string | undefined
}

const TIME_LIMIT_MS = 10_000

/** Requests the provider's list of models. This checks the address, the key and the configured model names. */
export async function checkProvider(settings: ProviderSettings): Promise<ProviderCheck> {
  return { provider: settings.name, problem: await findProblem(settings) }
}

async function findProblem({ name, baseUrl, models, ...settings }: ProviderSettings) {
  const url = `${baseUrl.replace(/\/+$/, '')}/models`
  let response: Response
  try {
    response = await fetch(url, {
      headers: keyHeaders(settings),
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
      redirect: 'error',
    })
  } catch {
    return `${name} could not be reached at ${baseUrl}.`
  }
  const body = await response.text().catch(() => '')
  if (!response.ok) {
    if (systemFaultOf(response.status, body) === 'key')
      return `${name} rejects the key in ${settings.keySetting}.`
    // Not every compatible server lists its models, so a 404 is not a problem.
    if (response.status === 404 && settings.type === 'openai-compatible') return undefined
    return `${name} responded with status ${response.status} at ${baseUrl}.`
  }
  const listed = namesIn(body)
  const missing = listed && models.map((model) => model.name).filter((one) => !listed.has(one))
  if (missing && missing.length > 0) return `${name} does not list ${missing.join(', ')}.`
  return undefined
}

function keyHeaders({
  type,
  apiKey,
}: Pick<ProviderSettings, 'type' | 'apiKey'>): Record<string, string> {
  if (apiKey === undefined) return {}
  switch (type) {
    case 'anthropic':
      return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
    case 'google':
      return { 'x-goog-api-key': apiKey }
    default:
      return { authorization: `Bearer ${apiKey}` }
  }
}

/** Returns the names in a list of models. Undefined if the list is paged or has another shape. */
function namesIn(body: string): Set<string> | undefined {
  try {
    const { data, models, has_more, nextPageToken } = JSON.parse(body)
    if (has_more || nextPageToken) return undefined
    const names: unknown[] = (data ?? models).flatMap((model: Record<string, string>) => [
      model.id,
      // Google prefixes names with `models/`.
      model.name?.replace(/^models\//, ''),
    ])
    return new Set(names.filter((name) => typeof name === 'string'))
  } catch {
    return undefined
  }
}
