import { readdirSync, readFileSync } from 'node:fs'

/** The children of a process with `program` in their command line. Linux only. */
export function childrenRunning(parent: number, program: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === parent && commandOf(name).includes(program))
    .map(Number)
}

export function isRunning(pid: number): boolean {
  // A process that ended but was not reaped has no command line.
  return commandOf(String(pid)) !== ''
}

/** Checks every thread: one that waits for a disk stops later than the others. */
export function isStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`
  return readdirSync(tasks).every((task) => /\) T /.test(read(`${tasks}/${task}/stat`)))
}

/** The CPU time used so far, in hundredths of a second. */
export function workOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

function parentOf(pid: string): number {
  return Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1])
}

function commandOf(pid: string): string {
  return read(`/proc/${pid}/cmdline`)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
