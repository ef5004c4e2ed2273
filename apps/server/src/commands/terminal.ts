import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { storageFaultOf } from '../database/storage-fault.ts'
import { EXIT } from './exit-codes.ts'

/**
 * The input and output of a command. Results go to standard output, everything else to standard error. All output is
 * sanitized here, because names, titles and answers come from other people.
 */
export interface Terminal {
  print(text: string): void
  /** Writes synchronously, for text that would be lost if the write fails. */
  printOrThrow(text: string): void
  /** Writes without a newline, for text that still grows. */
  write(text: string): void
  note(text: string): void
  /** Replaces the last `over` lines that were noted. */
  redraw(over: number, lines: string[]): void
  /** A user reads the output. */
  isOutputTty: boolean
  isInputTty: boolean
  /** Whether noted lines can be redrawn. */
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
 * Text from documents must not move the cursor, fill the clipboard or change colors. The second group stands unescaped
 * in JSON and must not get lost there, so it becomes JSON escapes.
 */
function harmless(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
      .replaceAll(/[\u0000-\u0008\u000b-\u001f]/g, '')
      .replaceAll(/[\u007f-\u009f]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
  )
}

export function sayUnwritable(error: Error): string {
  const why = storageFaultOf(error) === 'full' ? 'the disk is full' : error.message
  return `The output cannot be written: ${why}.`
}

/** Asks the user. Without a terminal, only `--yes` confirms. */
async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  if (!terminal.isInputTty) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(`${harmless(question)} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}

/** Asks before a deletion, unless `--yes` confirmed it. Without a confirmation, says that nothing was deleted. */
export async function mayDelete(
  { switches, terminal }: { switches: { yes?: boolean | undefined }; terminal: Terminal },
  verb: 'Delete' | 'Remove',
  what: string,
): Promise<boolean> {
  if (switches.yes || (await confirm(terminal, `${verb} ${what}?`))) return true
  terminal.note(`Nothing was deleted. Use --yes to ${verb.toLowerCase()} ${what}.`)
  return false
}

/** Reads all piped input, or one typed line that is not shown. */
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

/** Ctrl-C, a request of another process, and a closed terminal. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Two signals in quick succession are one Ctrl-C: received directly, and passed on by the launcher. */
export const SAME_SIGNAL_MS = 500

/** Aborts on Ctrl-C or a request to end. A second signal ends the process at once. */
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

/** Waits for work that leaves files behind when interrupted, and removes them in that case. */
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
