/** A session with a chatbot, and the secret that alone reaches it. */
export interface Visit {
  uuid: string
  secret: string
}

// What holds for this page, whatever is begun in another tab. Some browsers forbid frames to keep anything: then this is
// all there is.
const ofThisPage = new Map<string, Visit | null>()

/** That of this tab; in a new tab, the one that was begun last in this browser. */
export function findVisit(chatbot: string): Visit | undefined {
  const known = ofThisPage.get(chatbot)
  if (known !== undefined) return known ?? undefined
  const ofThisTab = read(() => sessionStorage, chatbot)
  const found = ofThisTab === undefined ? read(() => localStorage, chatbot) : ofThisTab
  ofThisPage.set(chatbot, found ?? null)
  // Another may be begun in another tab before this one is loaded again.
  if (found) write(() => sessionStorage, chatbot, found)
  return found ?? undefined
}

export function keepVisit(chatbot: string, { uuid, secret }: Visit): void {
  const visit = { uuid, secret }
  ofThisPage.set(chatbot, visit)
  write(() => sessionStorage, chatbot, visit)
  write(() => localStorage, chatbot, visit)
}

/** What another tab has begun stays with that tab alone: on a shared machine, nothing is left for tabs to come. */
export function forgetVisit(chatbot: string): void {
  ofThisPage.set(chatbot, null)
  write(() => sessionStorage, chatbot, null)
  write(() => localStorage, chatbot, undefined)
}

/** Its owner has deleted it. What another tab has begun since is there for tabs to come. */
export function dropVisit(chatbot: string, { uuid }: Visit): void {
  const last = read(() => localStorage, chatbot)
  if (findVisit(chatbot)?.uuid === uuid) forgetVisit(chatbot)
  if (last && last.uuid !== uuid) write(() => localStorage, chatbot, last)
}

/** `null`, where a conversation was begun in which nothing was asked yet. */
function read(storage: () => Storage, chatbot: string): Visit | null | undefined {
  try {
    const stored = storage().getItem(keyOf(chatbot))
    return stored === null ? undefined : JSON.parse(stored)
  } catch {
    return undefined
  }
}

function write(storage: () => Storage, chatbot: string, visit: Visit | null | undefined): void {
  try {
    if (visit === undefined) storage().removeItem(keyOf(chatbot))
    else storage().setItem(keyOf(chatbot), JSON.stringify(visit))
  } catch {
    // The page has it.
  }
}

function keyOf(chatbot: string): string {
  return `docent.visit.${chatbot}`
}
