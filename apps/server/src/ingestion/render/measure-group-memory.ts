import { readdir, readFile } from 'node:fs/promises'

/** The private memory of a process group in megabytes, without shared program files; 0 without /proc (Linux only). */
export async function measureGroupMemory(group: number): Promise<number> {
  const names = await readdir('/proc').catch(() => [])
  const sizes = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => measureProcess(pid, group)),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

async function measureProcess(pid: string, group: number): Promise<number> {
  // A process may exit between the listing and this read.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The process name stands in parentheses and may contain anything. State, parent and group follow it.
  const [, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (Number(itsGroup) !== group) return 0
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
}
