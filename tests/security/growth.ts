/** The least CPU time of a few tries in milliseconds, because other work on the machine disturbs some of them. */
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

// Linear code stays far below this, and quadratic code exceeds it.
const SUSPICIOUS_MS = 8
// Twice the input takes linear code twice the time, and quadratic code four times.
const TOO_STEEP = 3

/**
 * Checks whether twice the input takes far more than twice the time. Skips fast runs, and confirms slow runs, because
 * a garbage collection can cause them.
 */
export function growsTooFast(largest: number, run: (size: number) => void): boolean {
  return SMALL.some((size) => isSlowAt(size, run)) || isSteepAt(largest, run)
}

/** Slowly growing sizes find exponential code, which would never finish a large input. */
const SMALL = [24, 31, 40, 52, 68, 88, 115, 150, 195, 250]

function isSlowAt(size: number, run: (size: number) => void): boolean {
  return [1, 3].every((tries) => cost(() => run(size), tries) > SUSPICIOUS_MS)
}

function isSteepAt(size: number, run: (size: number) => void): boolean {
  // Increase the tries up to ten, because two test files share the machine.
  for (const tries of [1, 2, 3, 10]) {
    const twice = cost(() => run(2 * size), tries)
    if (twice < SUSPICIOUS_MS || twice < TOO_STEEP * cost(() => run(size), tries)) return false
  }
  return true
}
