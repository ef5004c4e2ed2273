/** The session of this browser with a chatbot, and the secret that alone reaches it. */
export interface Visit {
  uuid: string
  secret: string
}

// Some browsers forbid frames to keep anything: then the visit lasts as long as the page.
const inMemory = new Map<string, string>()

function keyOf(chatbot: string): string {
  return `docent.visit.${chatbot}`
}

export function findVisit(chatbot: string): Visit | undefined {
  const stored = read(keyOf(chatbot))
  try {
    return stored === null ? undefined : JSON.parse(stored)
  } catch {
    return undefined
  }
}

export function keepVisit(chatbot: string, { uuid, secret }: Visit): void {
  const value = JSON.stringify({ uuid, secret })
  inMemory.set(keyOf(chatbot), value)
  try {
    localStorage.setItem(keyOf(chatbot), value)
  } catch {
    // It is in memory.
  }
}

export function forgetVisit(chatbot: string): void {
  inMemory.delete(keyOf(chatbot))
  try {
    localStorage.removeItem(keyOf(chatbot))
  } catch {
    // It was in memory only.
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? inMemory.get(key) ?? null
  } catch {
    return inMemory.get(key) ?? null
  }
}
