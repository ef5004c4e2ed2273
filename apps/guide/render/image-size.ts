import { readFileSync } from 'node:fs'

/** So that a page keeps its place while its pictures arrive. PNG and SVG, which is what the documents have. */
export function imageSize(file: string): { width: number; height: number } | undefined {
  if (file.endsWith('.png')) {
    const bytes = readFileSync(file)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  const [, width, height] =
    /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(readFileSync(file, 'utf8').slice(0, 1000)) ?? []
  return width && height ? { width: Math.round(+width), height: Math.round(+height) } : undefined
}
