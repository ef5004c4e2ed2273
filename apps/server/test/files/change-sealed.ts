import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'

/** A sealed file, packed again after a change of what is inside; sealed anew, if the change is to go unnoticed. */
export function changeSealed(
  bytes: Buffer,
  change: (text: string) => string,
  { seals = false } = {},
): Buffer {
  let text = change(gunzipSync(bytes).toString('latin1'))
  if (seals) {
    const body = text.slice(0, text.lastIndexOf('\n{"sha256"'))
    const hash = createHash('sha256').update(body, 'latin1').digest('hex')
    text = `${body}\n{"sha256":"${hash}"}\n`
  }
  return gzipSync(Buffer.from(text, 'latin1'))
}

/**
 * With one bit changed, at a share of its length or soon after: there are bits that change nothing of what is inside, and
 * a file with such a one is as good as before.
 */
export function flipBit(bytes: Buffer, at: number): Buffer {
  const content = gunzipSync(bytes)
  for (let i = Math.floor(at * (bytes.length - 1)); ; i = (i + 1) % bytes.length) {
    const changed = Buffer.from(bytes)
    changed[i]! ^= 0x10
    try {
      if (!gunzipSync(changed).equals(content)) return changed
    } catch {
      return changed
    }
  }
}
