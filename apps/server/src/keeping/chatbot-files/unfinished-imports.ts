/** Ends the name of a chatbot until all of it is imported. */
export const UNFINISHED = ' (importing)'

export interface NamedChatbot {
  id: string
  name: string
}

/** On either store. A chatbot that was deleted has no name. Chatbots are few enough to look at every name. */
export const UNFINISHED_IMPORTS = `SELECT id, name FROM chatbots WHERE name LIKE '%${UNFINISHED}' ORDER BY id`

/** Nothing but the name tells them, and a name may be anybody's choice: so a person decides. */
export function adviseOnUnfinished(found: NamedChatbot[]): string | undefined {
  if (found.length === 0) return undefined
  const named = found.map(({ id, name }) => `"${name}" (${id})`).join(', ')
  return `An import that was interrupted has left ${named}. Unless it is being imported now, delete it (docent bot delete UUID) and import it again.`
}
