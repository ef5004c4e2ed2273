import { existsSync } from 'node:fs'

const OF_SQLITE = ['', '-wal', '-shm']

/** Returns the wanted name, with a number appended if an earlier database was kept under it. */
export function freeName(wanted: string): string {
  let name = wanted
  for (let n = 2; OF_SQLITE.some((part) => existsSync(name + part)); n += 1) name = `${wanted}.${n}`
  return name
}
