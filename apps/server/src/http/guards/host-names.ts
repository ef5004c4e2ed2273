import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { AllowedHosts } from '../../ingestion/fetch/public-addresses.ts'
import type { Services } from '../../services.ts'

// Supervisors and load balancers use any host name of a node. These responses reveal no user data.
const ANSWER_ANY = new Set<string | undefined>(['/healthz', '/readyz', '/metrics'])

/** Limits the cache of allowed headers and the log of unknown names. */
const MOST_REMEMBERED = 100

/**
 * Prevents DNS rebinding: a page of another site may point its own name at this server and pass for one of the server's
 * pages. So only the server's own names are answered. Browsers send the name, and pages cannot change it.
 */
export function refuseForeignHosts(
  app: FastifyInstance,
  { config, log, foreignHosts }: Pick<Services, 'config' | 'log' | 'foreignHosts'>,
): void {
  const names = new HostNames(config)
  const warnedOf = new Set<string>()
  app.addHook('onRequest', (request, _reply, done) => {
    const foreign = names.findForeign(request)
    if (foreign === undefined || ANSWER_ANY.has(request.routeOptions.url)) return done()
    if (foreignHosts === 'refused') return done(notAllowed(foreign))
    if (!warnedOf.has(foreign) && warnedOf.size < MOST_REMEMBERED) {
      warnedOf.add(foreign)
      log.warn({ host: foreign }, 'the next version rejects this host name, set PUBLIC_URL')
    }
    done()
  })
}

function notAllowed(host: string): AppError {
  return new AppError(
    'host_not_allowed',
    `This server does not accept the host name "${host}". Its operator can allow it with PUBLIC_URL.`,
  )
}

class HostNames {
  readonly #names: Set<string>
  readonly #proxies: AllowedHosts
  readonly #allowedHeaders = new Set<string>()

  constructor({ publicUrls, trustedProxies, host }: Config) {
    const ofSites = publicUrls.map((url) => plainName(new URL(url).host))
    this.#names = new Set(['localhost', plainName(hostname()), plainName(host), ...ofSites])
    // Unreadable names become empty.
    this.#names.delete('')
    this.#proxies = new AllowedHosts(trustedProxies)
  }

  /** Returns the first name in the request that is not the server's. */
  findForeign({ raw, socket }: FastifyRequest): string | undefined {
    const { host = '', 'x-forwarded-host': forwarded } = raw.headers
    const given = [host]
    // An absolute URL in the request line overrides the Host header (RFC 9112, 3.2.2).
    if (/^[a-z]+:/i.test(raw.url ?? '')) given.push(URL.parse(raw.url!)?.host || raw.url!)
    // A trusted proxy may have put its own name into the Host header. Ignore forwarded names from other senders. They
    // never make up for a foreign Host header, as pages can send them too.
    if (forwarded !== undefined && this.#proxies.allows('', socket.remoteAddress ?? ''))
      given.push(...[forwarded].flat().join(',').split(','))
    return given.find((name) => !this.#isAllowed(name.trim()))?.slice(0, 300)
  }

  #isAllowed(given: string): boolean {
    if (given === '' || this.#allowedHeaders.has(given)) return true
    const name = plainName(given)
    const isAllowed = isIP(name) !== 0 || this.#names.has(name)
    if (isAllowed && this.#allowedHeaders.size < MOST_REMEMBERED) this.#allowedHeaders.add(given)
    return isAllowed
  }
}

/** Normalizes a name with or without a port as URLs do: lower case, without the dot that ends a full name. */
function plainName(given: string): string {
  const url = URL.parse(`http://${given.replace(/^(\[[^%\]]*)%[^\]]*\]/, '$1]')}`)
  // Reject anything but a name and a port, such as a path or a user name.
  if (!url || url.href !== `http://${url.host}/`) return ''
  return url.hostname.replace(/^\[|\]$/g, '').replace(/(?<!\.)\.$/, '')
}
