import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'

/** Changes the content of a sealed file. With `seals`, a new seal hides the change. */
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

/** Flips a bit at a share of the file's length or soon after. Bits that do not change the content are skipped. */
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
