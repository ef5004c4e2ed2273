import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import { AllowedHosts, isPublicAddress } from './public-addresses.ts'

type Resolve = (hostname: string) => Promise<string[]>

export interface GuardSettings {
  /** Host names and address ranges that are allowed although they are private or belong to this machine. */
  allowPrivateHosts: readonly string[]
  /** URLs at which users reach this server (`PUBLIC_URL`). */
  publicUrls?: readonly string[]
  /** 0 until the server listens. */
  port?: number
}

const ANSWERS_KEPT_MS = 30_000
const FAILURE_KEPT_MS = 1_000

/**
 * Decides which addresses named by users the server may connect to. It refuses private and special addresses and those
 * of this machine unless the operator allows them. It always refuses the server itself: its port on every address of
 * the machine, and its `PUBLIC_URL`.
 */
export class ConnectionGuard {
  readonly #allowed: AllowedHosts
  readonly #sites: URL[]
  readonly #ports = new Set<number>()
  readonly #answers = new Map<string, { addresses: Promise<string[]>; until: number }>()

  readonly #interfaces: typeof networkInterfaces

  constructor(
    { allowPrivateHosts, publicUrls = [], port = 0 }: GuardSettings,
    interfaces = networkInterfaces,
  ) {
    this.#interfaces = interfaces
    this.#allowed = new AllowedHosts(allowPrivateHosts)
    this.#sites = publicUrls.map((url) => new URL(url))
    if (port !== 0) this.#ports.add(port)
  }

  listensOn(port: number): void {
    this.#ports.add(port)
  }

  /** Returns the allowed addresses of the URL's host. Throws if there are none. */
  async resolveAllowed(
    url: URL,
    { startedAt, resolve }: { startedAt: URL; resolve: Resolve },
  ): Promise<string[]> {
    const hostname = plainHost(url)
    const sites = this.#sites.filter((site) => isPortOf(site, portOf(url)))
    if (sites.some((site) => plainHost(site) === hostname)) throw leadsHere()
    const addresses = isIP(hostname) ? [hostname] : await resolve(hostname)
    const siteAddresses = await this.#addressesOf(sites, resolve)
    // Read on every call, because addresses change while the server runs.
    const machine = addressesOfMachine(this.#interfaces())
    const judge = (address: string) => {
      const isHere = holds(machine, address)
      if (isHere && this.#ports.has(portOf(url))) return 'server'
      const isSite = holds(siteAddresses, address)
      if (isSite && isIP(hostname)) return 'server'
      // Permission for a private service does not cover another service that it redirects to.
      const mayAsk = isSameService(url, startedAt)
      // With https, the URL is another site behind the same proxy, with a certificate of its own.
      if (isSite && url.protocol === 'http:' && !(mayAsk && this.#allowed.allowsName(hostname)))
        return 'private'
      if (isPublicAddress(address) && !isHere) return 'allowed'
      return mayAsk && this.#allowed.allows(hostname, address) ? 'allowed' : 'private'
    }
    const verdicts = addresses.map(judge)
    const allowed = addresses.filter((_, i) => verdicts[i] === 'allowed')
    if (allowed.length > 0) return allowed
    if (verdicts.includes('server')) throw leadsHere()
    throw new IngestionError('error:download', { code: 'private_address' })
  }

  async #addressesOf(sites: URL[], resolve: Resolve): Promise<BlockList> {
    const lists = await Promise.all(sites.map((site) => this.#lookUp(plainHost(site), resolve)))
    return toBlockList(lists.flat())
  }

  #lookUp(hostname: string, resolve: Resolve): Promise<string[]> {
    if (isIP(hostname)) return Promise.resolve([hostname])
    const known = this.#answers.get(hostname)
    if (known && known.until > performance.now()) return known.addresses
    const answer = { addresses: resolve(hostname), until: performance.now() + ANSWERS_KEPT_MS }
    answer.addresses = answer.addresses.catch(() => {
      // If a lookup fails, the last known addresses stay valid and the name is looked up again soon.
      answer.until = performance.now() + FAILURE_KEPT_MS
      return known?.addresses ?? []
    })
    this.#answers.set(hostname, answer)
    return answer.addresses
  }
}

function leadsHere(): IngestionError {
  return new IngestionError('error:download', { code: 'own_address' })
}

/** Strips the brackets of an IPv6 address and the trailing dot of a full host name. */
function plainHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/(?<!\.)\.+$/, '')
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** A site on port 80 or 443 is usually served or redirected on the other port, too. */
function isPortOf(site: URL, port: number): boolean {
  const usual = [80, 443]
  return portOf(site) === port || (usual.includes(portOf(site)) && usual.includes(port))
}

function isSameService(url: URL, from: URL): boolean {
  return url.hostname === from.hostname && (url.port === from.port || url.port === '')
}

/** All addresses at which this machine reaches itself. */
function addressesOfMachine(interfaces: ReturnType<typeof networkInterfaces>): BlockList {
  const own = Object.values(interfaces).flatMap((addresses = []) => addresses)
  const list = toBlockList(own.map(({ address }) => address))
  list.addSubnet('127.0.0.0', 8, 'ipv4')
  list.addSubnet('0.0.0.0', 8, 'ipv4')
  list.addAddress('::1', 'ipv6')
  list.addAddress('::', 'ipv6')
  return list
}

function toBlockList(addresses: string[]): BlockList {
  const list = new BlockList()
  for (const address of addresses.map(withoutZone)) {
    const family = isIP(address)
    if (family !== 0) list.addAddress(address, family === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Also matches an IPv4 address that is embedded in an IPv6 address. */
function holds(list: BlockList, given: string): boolean {
  const address = withoutZone(given)
  if (isIP(address) === 4) return list.check(address, 'ipv4')
  if (isIP(address) !== 6) return false
  const carried = carriedAddress(address)
  return list.check(address, 'ipv6') || (carried !== undefined && list.check(carried, 'ipv4'))
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '')
}

/** The IPv4 address inside an IPv6 address: mapped (RFC 4291), translated (RFC 6052, 8215) or 6to4 (RFC 3056). */
function carriedAddress(address: string): string | undefined {
  const groups = groupsOf(address)
  const start = groups.slice(0, 6).join(':')
  if (groups[0] === 0x2002) return toIPv4(groups[1]!, groups[2]!)
  const isCarrier =
    ['0:0:0:0:0:0', `0:0:0:0:0:${0xffff}`, `0:0:0:0:${0xffff}:0`].includes(start) ||
    (groups[0] === 0x64 && groups[1] === 0xff9b)
  return isCarrier ? toIPv4(groups[6]!, groups[7]!) : undefined
}

function toIPv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function groupsOf(address: string): number[] {
  // The URL parser writes the whole address in hex digits.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = written
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16))
}
