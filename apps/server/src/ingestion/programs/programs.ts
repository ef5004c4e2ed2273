import { mkdirSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from './find-program.ts'
import { ProgramRunner } from './run-program.ts'

/** Programs that read what we can't, as far as they are installed; their whole paths. */
interface Found {
  soffice?: string | undefined
  tesseract?: string | undefined
}

export interface ProgramOptions {
  /** Folders in which programs are looked for, as in PATH. */
  searchPath: string
  /** Where they work, each in a folder of its own that is removed afterwards. */
  folder: string
  /** Of text in pictures, as tesseract names them; undefined: it is not read. */
  ocrLanguages?: string | undefined
}

/** The programs of others that are there, and where they may work. */
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
    // What a server that was killed left there: somebody's documents.
    rmSync(folder, { recursive: true, force: true })
  }

  /** In a folder that is there for so long. */
  async inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const folder = await mkdtemp(join(this.#folder, 'work-'))
    try {
      return await work(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** One at a time, for what takes the whole machine. */
  oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#heavy.then(work)
    this.#heavy = result.catch(() => {})
    return result
  }

  close(): void {
    this.runner.close()
  }
}
