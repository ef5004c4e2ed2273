import { NewAccount } from '../api/sign-in.schemas.ts'
import { readConfig } from '../config.ts'
import { databaseFile } from '../database/data-folder.ts'
import type { Database } from '../database/database.ts'
import { eraseDeletedNow } from '../database/erase-deleted.ts'
import { listChatbots } from '../store/chatbots.ts'
import * as users from '../store/users.ts'
import { EXIT, type Invocation, required, UsageError } from './command.ts'
import { openExisting } from './open-existing.ts'
import { confirm } from './terminal.ts'

/** `docent user rename`, on the database itself: it works with and without a running server, as does `remove`. */
export async function renameUser({ args, environment, json, terminal }: Invocation): Promise<void> {
  const usage = 'whom, and the new name: docent user rename OLD NEW'
  const before = required(args[0], usage)
  const name = NewAccount.shape.name.safeParse(required(args[1], usage))
  // With one that is refused there, nobody could sign in.
  if (!name.success) throw new UsageError(`A name ${name.error.issues[0]!.message}.`)
  const { db, close } = await openExisting(readConfig(environment))
  try {
    const user = await users.getUserByName(db, before)
    await users.renameUser(db, user, name.data)
    const text = `"${before}" is called "${name.data}" now, and signs in by that name.`
    terminal.print(json ? JSON.stringify({ uuid: user.id, name: name.data }) : text)
  } finally {
    await close()
  }
}

export async function removeUser(call: Invocation): Promise<number> {
  const { args, environment, json, switches, terminal } = call
  const name = required(args[0], 'whom: docent user remove NAME')
  const config = readConfig(environment)
  const { db, close } = await openExisting(config)
  try {
    const user = await users.getUserByName(db, name)
    await users.refuseLastUser(db, user)
    const { what, chatbots } = await describe(db, user)
    if (!switches.yes && !(await confirm(terminal, `Remove ${what}?`))) {
      terminal.note(`Nothing was deleted. --yes removes ${what}.`)
      return EXIT.failed
    }
    await users.deleteUser(db, user)
    terminal.print(json ? JSON.stringify({ uuid: user.id, name, chatbots }) : `Removed ${what}.`)
  } finally {
    await close()
  }
  if (config.databaseUrl === undefined && !(await eraseDeletedNow(databaseFile(config.dataDir)))) {
    terminal.note('Something reads the database for long: the next start erases what is left.')
  }
  return EXIT.done
}

/** What goes, for whoever has to decide. */
async function describe(db: Database, user: users.User) {
  const { length: chatbots } = await listChatbots(db, user.id, {})
  const counted = chatbots === 1 ? '1 chatbot' : `${chatbots || 'no'} chatbots`
  const inside = chatbots === 0 ? '' : ', their sources, sessions and webhooks'
  return { chatbots, what: `"${user.name}" with ${counted}${inside} and all tokens` }
}
