import { readdirSync, readFileSync } from 'node:fs'

/** The processes below a process that run something with this in its command line. Linux only. */
export function childrenRunning(parent: number, program: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === parent && commandOf(name).includes(program))
    .map(Number)
}

export function isRunning(pid: number): boolean {
  // What has ended and waits to be noticed has no command line any more.
  return commandOf(String(pid)) !== ''
}

/** Every thread of it, also one that was waiting for a disk when it was told to stop. */
export function isStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`
  return readdirSync(tasks).every((task) => /\) T /.test(read(`${tasks}/${task}/stat`)))
}

/** In hundredths of a second: what a process has worked so far. */
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
