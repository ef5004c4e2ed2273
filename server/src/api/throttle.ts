import { AppError } from '../errors.ts'

const MAX_KEYS = 50_000

/** So many tries in so much time, counted in memory: a restart forgives, but nobody outside can cause one. */
export class Throttle {
  readonly #most: number
  readonly #windowMs: number
  readonly #tries = new Map<string, number[]>()

  constructor(most: number, windowMs: number) {
    this.#most = most
    this.#windowMs = windowMs
  }

  /** Counts a try, or refuses it. */
  take(key: string): void {
    const now = Date.now()
    const recent = (this.#tries.get(key) ?? []).filter((at) => at > now - this.#windowMs)
    if (recent.length >= this.#most) {
      const seconds = Math.ceil((recent[0]! + this.#windowMs - now) / 1000)
      throw new AppError('rate_limited', 'Too many tries. Wait a while.', {
        headers: { 'retry-after': String(seconds) },
      })
    }
    // Set anew, so that the first key of the map is the one that was quiet for longest.
    this.#tries.delete(key)
    this.#tries.set(key, [...recent, now])
    if (this.#tries.size > MAX_KEYS) this.#tries.delete(this.#tries.keys().next().value!)
  }

  forget(key: string): void {
    this.#tries.delete(key)
  }
}

/** Who asks, as far as the network tells: of IPv6 the network, since each machine has billions of addresses. */
export function networkOf(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...(address.includes('::') ? zeros : []), ...after].slice(0, 4).join(':')
}
