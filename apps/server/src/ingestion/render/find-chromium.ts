import { findProgram } from '../programs/find-program.ts'

// The headless shell takes half the time.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The browser that is installed, if any. */
export function findChromium(searchPath: string): string | undefined {
  return NAMES.map((name) => findProgram(searchPath, name)).find((path) => path !== undefined)
}
