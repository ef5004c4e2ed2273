import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { EXIT } from './command.ts'

/** Where a command reads and writes. Results go to standard output, everything else to standard error. */
export interface Terminal {
  print(text: string): void
  /** Without a line's end: text that is still growing. */
  write(text: string): void
  note(text: string): void
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
      process.stdout.write(`${text}\n`)
    },
    write(text) {
      process.stdout.write(text)
    },
    note(text) {
      process.stderr.write(`${text}\n`)
    },
    isOutputTty: process.stdout.isTTY === true,
    isInputTty: process.stdin.isTTY === true,
    canRedraw: process.stderr.isTTY === true,
    columns: process.stderr.columns ?? 80,
  }
}

/** What comes from documents must not move the cursor or change the colours of whoever reads it. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

/** Asks whoever sits there; where nobody does, only `--yes` says yes. */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  if (!terminal.isInputTty) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
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
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return controller.signal
}

export class Interrupted extends Error {
  override readonly message = 'Stopped.'
}
