/** A session and the secret that gives access to it. */
export interface Visit {
  uuid: string
  secret: string
}

// The session of this page, whatever other tabs do. Some browsers block storage in frames. Then only this map has the
// session.
const ofThisPage = new Map<string, Visit | null>()

/** This tab's session. A new tab gets the session that was started last in this browser. */
export function findVisit(chatbot: string): Visit | undefined {
  const known = ofThisPage.get(chatbot)
  if (known !== undefined) return known ?? undefined
  const ofThisTab = read(() => sessionStorage, chatbot)
  const found = ofThisTab === undefined ? read(() => localStorage, chatbot) : ofThisTab
  ofThisPage.set(chatbot, found ?? null)
  // Another tab may start a session before this tab reloads.
  if (found) write(() => sessionStorage, chatbot, found)
  return found ?? undefined
}

export function keepVisit(chatbot: string, { uuid, secret }: Visit): void {
  const visit = { uuid, secret }
  ofThisPage.set(chatbot, visit)
  write(() => sessionStorage, chatbot, visit)
  write(() => localStorage, chatbot, visit)
}

/** Forgets the session here and for new tabs, for shared machines. Other open tabs keep their sessions. */
export function forgetVisit(chatbot: string): void {
  ofThisPage.set(chatbot, null)
  write(() => sessionStorage, chatbot, null)
  write(() => localStorage, chatbot, undefined)
}

/** The owner has deleted the session. A newer session from another tab stays available to new tabs. */
export function dropVisit(chatbot: string, { uuid }: Visit): void {
  const last = read(() => localStorage, chatbot)
  if (findVisit(chatbot)?.uuid === uuid) forgetVisit(chatbot)
  if (last && last.uuid !== uuid) write(() => localStorage, chatbot, last)
}

/** `null` means a new conversation without a question. */
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
    // Storage is blocked. The map has the session.
  }
}

function keyOf(chatbot: string): string {
  return `docent.visit.${chatbot}`
}
