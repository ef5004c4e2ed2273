import { mkdirSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from './find-program.ts'
import { ProgramRunner } from './run-program.ts'

/** Absolute paths of the optional external programs that are installed. */
interface Found {
  soffice?: string | undefined
  tesseract?: string | undefined
}

export interface ProgramOptions {
  /** Has the format of PATH. */
  searchPath: string
  /** Each run works in a temporary folder below this one. */
  folder: string
  /** Language codes of tesseract. If undefined, text recognition is off. */
  ocrLanguages?: string | undefined
}

/** The optional external programs, and the temporary folders they work in. */
export class Programs {
  readonly found: Found
  readonly ocrLanguages: string | undefined
  readonly runner: ProgramRunner
  readonly #folder: string
  #heavy: Promise<unknown> = Promise.resolve()

  constructor({ searchPath, folder, ocrLanguages }: ProgramOptions) {
    const find = (name: string) => findProgram(searchPath, name)
    this.found = {
      soffice: find('soffice') ?? find('libreoffice'),
      tesseract: find('tesseract'),
    }
    this.ocrLanguages = this.found.tesseract && ocrLanguages
    this.runner = new ProgramRunner(searchPath, find('unshare'))
    this.#folder = folder
    // A server that was killed may have left users' documents here.
    rmSync(folder, { recursive: true, force: true })
  }

  /** Deletes the temporary folder when `work` ends. */
  async inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const folder = await mkdtemp(join(this.#folder, 'work-'))
    try {
      return await work(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Serializes work that uses the whole machine. */
  oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#heavy.then(work)
    this.#heavy = result.catch(() => {})
    return result
  }

  close(): void {
    this.runner.close()
  }
}
