/** The least processor time that it took in a few tries, in milliseconds: other work on the machine does not count. */
function cost(run: () => void, tries: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < tries; i++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

// A linear one takes a small part of it; for a quadratic one it is not much.
const SUSPICIOUS_MS = 8
// Twice the input: twice the time if it is linear, four times if it is quadratic.
const TOO_STEEP = 3

/**
 * Whether twice the input takes far more than twice the time. What is done at once either way is not worth a second
 * look, and a suspicion has to be confirmed, so that a collection of garbage is not taken for growth.
 */
export function growsTooFast(largest: number, run: (size: number) => void): boolean {
  return SMALL.some((size) => isSlowAt(size, run)) || isSteepAt(largest, run)
}

/** What grows exponentially would not come back from a large one, and shows in small ones, a little larger each time. */
const SMALL = [24, 31, 40, 52, 68, 88, 115, 150, 195, 250]

function isSlowAt(size: number, run: (size: number) => void): boolean {
  return [1, 3].every((tries) => cost(() => run(size), tries) > SUSPICIOUS_MS)
}

function isSteepAt(size: number, run: (size: number) => void): boolean {
  // The least of many tries, in the end: two test files share the machine.
  for (const tries of [1, 2, 3, 10]) {
    const twice = cost(() => run(2 * size), tries)
    if (twice < SUSPICIOUS_MS || twice < TOO_STEEP * cost(() => run(size), tries)) return false
  }
  return true
}
