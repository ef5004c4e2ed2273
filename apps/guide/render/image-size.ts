import { readFileSync } from 'node:fs'

/** Sizes reserve space, so that pages do not jump while images load. The documents have only PNG and SVG images. */
export function imageSize(file: string): { width: number; height: number } | undefined {
  if (file.endsWith('.png')) {
    const bytes = readFileSync(file)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  const [, width, height] =
    /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(readFileSync(file, 'utf8').slice(0, 1000)) ?? []
  return width && height ? { width: Math.round(+width), height: Math.round(+height) } : undefined
}
