import { readdir, readFile } from 'node:fs/promises'

/**
 * The megabytes that a group of processes holds for itself, without the program files that they share. Zero where
 * there is no /proc: only Linux has it.
 */
export async function measureGroupMemory(group: number): Promise<number> {
  const names = await readdir('/proc').catch(() => [])
  const sizes = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => measureProcess(pid, group)),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

async function measureProcess(pid: string, group: number): Promise<number> {
  // A process may end between being listed and being looked at.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // After the name, which stands in parentheses and may hold anything: state, parent, group.
  const [, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (Number(itsGroup) !== group) return 0
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
}
