import { realpathSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGES = join(import.meta.dirname, '../../../../packages')

/** The folder of a package of this project. */
export function packageFolder(name: string): string {
  return realpathSync(join(PACKAGES, name))
}
