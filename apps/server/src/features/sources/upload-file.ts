import { rmSync } from 'node:fs'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../database/rows/ids.ts'

/** Also removes what a crash left behind. */
export function removeUploadsFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * A file during its upload. It is on disk, so that slow uploads take no memory. It is unlinked once it is open, so the
 * system removes it when it is closed, however the process ends.
 */
export class ReceivedFile implements AsyncDisposable {
  readonly #handle: FileHandle
  #size = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async open(folder: string): Promise<ReceivedFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, newId())
    const handle = await open(path, 'wx+', 0o600)
    try {
      await unlink(path)
    } catch (error) {
      await handle.close()
      throw error
    }
    return new ReceivedFile(handle)
  }

  get size(): number {
    return this.#size
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#handle.writeFile(chunk)
    this.#size += chunk.length
  }

  async read(): Promise<Buffer> {
    const content = Buffer.allocUnsafeSlow(this.#size)
    let position = 0
    while (position < content.length) {
      const length = content.length - position
      const { bytesRead } = await this.#handle.read(content, position, length, position)
      if (bytesRead === 0) throw new Error('An upload is shorter on the disk than it was')
      position += bytesRead
    }
    return content
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}
