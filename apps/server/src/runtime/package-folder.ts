import { createRequire } from 'node:module'
import { dirname } from 'node:path'

const resolver = createRequire(import.meta.url)

/** The folder of a package of this project, wherever it is installed. */
export function packageFolder(name: string): string {
  return dirname(resolver.resolve(`@docent/${name}/package.json`))
}
