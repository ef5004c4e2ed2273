import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { FileToSend } from './http/upload.ts'

/**
 * A file on this machine, to be uploaded. It is read while it is sent. For Node, Deno and Bun.
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
