import { readLogin } from '../remote/connect.ts'

interface Connection {
  peer: string
  caller: string
  forwarded_for: string | null
  protocol: string
  host: string
}

const PATIENCE_MS = 10_000
const SKEW_MS = 60_000

/**
 * Finds problems on the way to the server, including its proxies. Returns undefined if no server is configured, and an
 * empty list if all is well.
 */
export async function checkConnection(
  environment: NodeJS.ProcessEnv,
): Promise<{ url: string; problems: string[] } | undefined> {
  const saved = readLogin(environment)
  const url = (environment.DOCENT_URL || saved?.url)?.replace(/\/+$/, '')
  if (!url) return undefined
  const token = environment.DOCENT_TOKEN || (saved?.url === url ? saved.token : undefined)
  try {
    const response = await fetch(`${url}/api/v1/connection`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return {
      url,
      problems: [...clockProblems(response), ...(await proxyProblems(url, token, response))],
    }
  } catch (error) {
    const { cause, message } = error as Error
    const reason = (cause as Error | undefined)?.message || message
    return {
      url,
      problems: [`The server does not respond (${reason}). Start it, or correct DOCENT_URL.`],
    }
  }
}

function clockProblems({ headers }: Response): string[] {
  const skew = Date.parse(headers.get('date') ?? '') - Date.now()
  if (!(Math.abs(skew) > SKEW_MS)) return []
  const minutes = Math.round(Math.abs(skew) / 60_000)
  const direction = skew > 0 ? 'ahead of' : 'behind'
  return [
    `Its clock is ${minutes} minutes ${direction} this machine's. Synchronize both (timedatectl set-ntp true).`,
  ]
}

async function proxyProblems(
  url: string,
  token: string | undefined,
  response: Response,
): Promise<string[]> {
  if (response.status === 401) {
    return token
      ? ['It rejects the token. Run "docent login" to save another one.']
      : ['More checks need a token. Set DOCENT_TOKEN, or run "docent login".']
  }
  if (response.status === 403) {
    const { code, error } = (await response.json()) as { code?: string; error?: string }
    if (code === 'host_not_allowed') return [String(error)]
  }
  if (response.status !== 200) {
    return [
      `It responds with status ${response.status}. Check that it is a Docent server of this version.`,
    ]
  }
  const { peer, caller, forwarded_for, protocol, host } = (await response.json()) as Connection
  const { protocol: wanted, host: wantedHost } = new URL(url)
  const problems: string[] = []
  if (forwarded_for !== null && caller === peer) {
    problems.push(
      `A proxy at ${peer} is not trusted, so all its visitors share one rate limit. Set TRUSTED_PROXIES=${peer.replace('::ffff:', '')} for the server.`,
    )
  }
  if (`${protocol}:` !== wanted) {
    problems.push('The proxy does not report https. Configure it to send X-Forwarded-Proto.')
  }
  if (host !== wantedHost) {
    problems.push(
      `The server receives the host name "${host}" instead of "${wantedHost}". Configure the proxy to pass the Host header unchanged.`,
    )
  }
  return problems
}
