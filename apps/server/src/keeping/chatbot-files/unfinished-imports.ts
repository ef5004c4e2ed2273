/** Suffix of a chatbot's name until its import is complete. */
export const UNFINISHED = ' (importing)'

export interface NamedChatbot {
  id: string
  name: string
}

/** Runs on both stores. Deleted chatbots have no name. There are few chatbots, so a scan is fast. */
export const UNFINISHED_IMPORTS = `SELECT id, name FROM chatbots WHERE name LIKE '%${UNFINISHED}' ORDER BY id`

/** Only the name identifies them, and users can choose any name, so a person has to decide. */
export function adviseOnUnfinished(found: NamedChatbot[]): string | undefined {
  if (found.length === 0) return undefined
  const named = found.map(({ id, name }) => `"${name}" (${id})`).join(', ')
  return `An interrupted import has left ${named}. If no import is running, delete it (docent bot delete UUID) and import it again.`
}
