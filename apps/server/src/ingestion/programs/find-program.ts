import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** The whole path of a program, if it is in one of the folders, which are given as in PATH. */
export function findProgram(searchPath: string, name: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram)
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
