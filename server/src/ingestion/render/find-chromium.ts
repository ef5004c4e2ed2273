import { findProgram } from '../find-program.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** The browser that is installed, if any. */
export function findChromium(searchPath: string): string | undefined {
  return NAMES.map((name) => findProgram(searchPath, name)).find((path) => path !== undefined)
}
