const THINGS = 'lamp harbour ticket garden window bridge letter engine river market'.split(' ')
let asked = 0

/** Every question is unique, so that caches do not help. */
export function nextQuestion(): string {
  asked += 1
  const [one, other] = [THINGS[asked % 10], THINGS[Math.floor(asked / 10) % 10]]
  return `How many words has the ${one} of ${other} ${asked}?`
}
