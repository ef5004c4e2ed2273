const THINGS = 'lamp harbour ticket garden window bridge letter engine river market'.split(' ')
let asked = 0

/** No two are alike, so that nothing that was kept of an earlier one helps. */
export function nextQuestion(): string {
  asked += 1
  const [one, other] = [THINGS[asked % 10], THINGS[Math.floor(asked / 10) % 10]]
  return `How many words has the ${one} of ${other} ${asked}?`
}
