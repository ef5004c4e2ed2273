export interface MisspelledSetting {
  given: string
  meant: string
}

/** Short names are close to many unrelated names, such as HOSTNAME to HOST. */
const FEWEST_LETTERS = 6
/** Two typos are allowed only in long names, because other names are never that close. */
const LETTERS_FOR_TWO = 10
// Variables of the command-line client, Node and npm.
const OF_OTHERS = /^(DOCENT|NODE|NPM)_/i

/** Finds unknown variables that are almost the name of a setting. */
export function findMisspelled(
  environment: readonly string[],
  settings: readonly string[],
): MisspelledSetting[] {
  const known = new Set(settings)
  const long = settings.filter((setting) => countLetters(setting) >= FEWEST_LETTERS)
  return environment.flatMap((given) => {
    if (known.has(given) || OF_OTHERS.test(given)) return []
    const name = given.toUpperCase()
    const meant = long.find(
      (setting) =>
        countSlips(name, setting) <= (countLetters(setting) >= LETTERS_FOR_TWO ? 2 : 1) &&
        countLetters(name) >= FEWEST_LETTERS - 1,
    )
    return meant === undefined ? [] : [{ given, meant }]
  })
}

export function describeMisspelled({ given, meant }: MisspelledSetting): string {
  return `${given} is not a setting and has no effect. Did you mean ${meant}?`
}

function countLetters(name: string): number {
  return name.replaceAll(/[^a-z]/gi, '').length
}

/** Edit distance with swapped neighbors (optimal string alignment). */
function countSlips(one: string, other: string): number {
  // Too far apart. This also bounds the work for long names.
  if (Math.abs(one.length - other.length) > 2) return 3
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, j) => j)
  for (let i = 1; i <= one.length; i++) {
    const now = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const ways = [last[j]! + 1, now[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1)]
      if (isSwapped) ways.push(before[j - 2]! + 1)
      now.push(Math.min(...ways))
    }
    before = last
    last = now
  }
  return last.at(-1)!
}
