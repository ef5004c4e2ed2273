import { findProgram } from '../programs/find-program.ts'

// The headless shell comes first, because it takes half the time.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

export function findChromium(searchPath: string): string | undefined {
  return NAMES.map((name) => findProgram(searchPath, name)).find((path) => path !== undefined)
}
