import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

// Each guess costs 32 MB and three passes. Stored hashes name these costs, so they can be raised later.
const COST = { N: 2 ** 15, r: 8, p: 3 }
const KEY_BYTES = 32

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, base64(salt), base64(key)].join('$')
}

/** Takes as long if no password is stored, so that timing does not reveal which names exist. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt, key] = (stored ?? (await nobodysPassword())).split('$')
  const expected = Buffer.from(key!, 'base64url')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const given = await deriveKey(password, Buffer.from(salt!, 'base64url'), cost)
  return timingSafeEqual(given, expected) && stored !== null
}

let nobodys: Promise<string> | undefined
function nobodysPassword(): Promise<string> {
  nobodys ??= hashPassword(base64(randomBytes(32)))
  return nobodys
}

function deriveKey(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const maxmem = 256 * cost.N * cost.r
  // Different keyboards may send the same password in different Unicode normal forms.
  return derive(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem })
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64url')
}
