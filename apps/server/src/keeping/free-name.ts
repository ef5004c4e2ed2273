import { existsSync } from 'node:fs'

const OF_SQLITE = ['', '-wal', '-shm']

/** For a database that is kept: the name that is wanted, with a number behind it where an earlier one is kept already. */
export function freeName(wanted: string): string {
  let name = wanted
  for (let n = 2; OF_SQLITE.some((part) => existsSync(name + part)); n += 1) name = `${wanted}.${n}`
  return name
}
