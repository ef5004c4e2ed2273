import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { FileToSend } from './http/upload.ts'

/**
 * Opens a local file for upload. The file is read while it is sent. Works in Node, Deno and Bun.
 *
 * @example
 * ```ts
 * import { openFile } from '@docent/client/node'
 *
 * await client.sources.upload(chatbot, await openFile('docs/handbook.pdf'))
 * ```
 */
export async function openFile(path: string): Promise<FileToSend> {
  const { size } = await stat(path)
  return {
    name: basename(path),
    size,
    stream: () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
  }
}
