import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { storageFaultOf } from '../database/storage-fault.ts'
import { EXIT } from './exit-codes.ts'

/**
 * Where a command reads and writes. Results go to standard output, everything else to standard error. Whatever is written
 * is made harmless here: names, titles and answers are other people's words.
 */
export interface Terminal {
  print(text: string): void
  /** At once, for what is lost if it can't be written. */
  printOrThrow(text: string): void
  /** Without a line's end: text that is still growing. */
  write(text: string): void
  note(text: string): void
  /** Puts lines in the place of so many that were noted last. */
  redraw(over: number, lines: string[]): void
  /** Somebody sits there and reads. */
  isOutputTty: boolean
  isInputTty: boolean
  /** Whether lines that were noted can be drawn over. */
  canRedraw: boolean
  columns: number
}

export function openTerminal(): Terminal {
  return {
    print(text) {
      process.stdout.write(`${harmless(text)}\n`)
    },
    printOrThrow(text) {
      writeSync(process.stdout.fd, `${harmless(text)}\n`)
    },
    write(text) {
      process.stdout.write(harmless(text))
    },
    note(text) {
      process.stderr.write(`${harmless(text)}\n`)
    },
    redraw(over, lines) {
      const erase = over > 0 ? `\u001b[${over}A\u001b[0J` : ''
      process.stderr.write(erase + lines.map((line) => `${harmless(line)}\n`).join(''))
    },
    isOutputTty: process.stdout.isTTY === true,
    isInputTty: process.stdin.isTTY === true,
    canRedraw: process.stderr.isTTY === true,
    columns: process.stderr.columns ?? 80,
  }
}

/**
 * What comes from documents must not move the cursor, fill the clipboard or change the colours of whoever reads it. The
 * second kind stands in JSON as it is, where it must not get lost: it is written as JSON can say it, too.
 */
function harmless(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replaceAll(/[\u0000-\u0008\u000b-\u001f]/g, '')
      .replaceAll(/[\u007f-\u009f]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
  )
}

export function sayUnwritable(error: Error): string {
  const why = storageFaultOf(error) === 'full' ? 'the disk is full' : error.message
  return `What this prints can’t be written: ${why}.`
}

/** Asks whoever sits there; where nobody does, only `--yes` says yes. */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  if (!terminal.isInputTty) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(`${harmless(question)} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}

/** All of what is piped in, or a line that somebody types, which is not shown. */
export async function readSecret({ isInputTty, note }: Terminal, what: string): Promise<string> {
  if (!isInputTty) return text(process.stdin)
  process.stderr.write(`${what}: `)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    note('')
  }
}

/** Ctrl-C, whoever runs it, and a terminal that is closed. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Two signals in quick succession are one press of Ctrl-C, seen by us and passed on by whoever started us. */
export const SAME_SIGNAL_MS = 500

/** Aborts at Ctrl-C or when the process is asked to end; a second time ends it at once. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController()
  let since = 0
  const onSignal = () => {
    if (!controller.signal.aborted) since = performance.now()
    else if (performance.now() - since > SAME_SIGNAL_MS) process.exit(EXIT.interrupted)
    controller.abort(new Interrupted())
  }
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal)
  return controller.signal
}

/** Waits for what leaves things behind when it is broken off, and has them removed if it is. */
export function unlessInterrupted<T>(work: Promise<T>, cleanUp: () => void): Promise<T> {
  const signal = untilInterrupted()
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      cleanUp()
      reject(signal.reason)
    })
  })
  return Promise.race([work, interrupted])
}

export class Interrupted extends Error {
  override readonly message = 'Stopped.'
}
