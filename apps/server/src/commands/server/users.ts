import { NewAccount, Password } from '@docent/contract/sign-in.ts'
import { readConfig } from '../../config.ts'
import { databaseFile } from '../../database/data-folder.ts'
import type { Database } from '../../database/database.ts'
import { isPostgres } from '../../database/dialect.ts'
import { eraseDeletedNow } from '../../database/sqlite/erase-deleted.ts'
import { hashPassword } from '../../features/accounts/passwords.ts'
import { endOtherSignIns } from '../../features/accounts/sign-ins.store.ts'
import * as users from '../../features/accounts/users.store.ts'
import { countChatbots } from '../../features/chatbots/chatbots.store.ts'
import { eraseHiddenChatbots } from '../../features/chatbots/erase-chatbots.store.ts'
import { type Invocation, required, UsageError } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { mayDelete, readSecret } from '../terminal.ts'
import { withExisting } from './open-existing.ts'

// These commands use the database directly, with or without a running server.

export async function createUser({ args, environment, print }: Invocation): Promise<void> {
  const name = readName(args[0], 'a name: docent user create NAME')
  const user = await withExisting(environment, (db) => users.createUser(db, name))
  print({ uuid: user.id, name }, `Created the user "${name}".`)
}

export async function listUsers({ environment, print }: Invocation): Promise<void> {
  const found = await withExisting(environment, users.listUsers)
  const names = found.map(({ name }) => name)
  const records = found.map(({ id, name }) => ({ uuid: id, name }))
  print(records, names.join('\n') || 'No users yet.')
}

export async function changePassword(call: Invocation): Promise<void> {
  const { args, environment, terminal, print } = call
  const name = required(args[0], 'a user: docent user password NAME')
  await withExisting(environment, async (db) => {
    const user = await users.getUserByName(db, name)
    const given = (await readSecret(terminal, 'New password')).replace(/\r?\n$/, '')
    const password = Password.safeParse(given)
    if (!password.success)
      throw new UsageError(`The password ${password.error.issues[0]!.message}.`)
    await users.setPassword(db, user.id, await hashPassword(password.data))
    await endOtherSignIns(db, user.id, undefined)
    print({ uuid: user.id }, `"${user.name}" can now sign in with this password.`)
  })
}

export async function renameUser({ args, environment, print }: Invocation): Promise<void> {
  const usage = 'a user and a new name: docent user rename OLD NEW'
  const before = required(args[0], usage)
  const name = readName(args[1], usage)
  await withExisting(environment, async (db) => {
    const user = await users.getUserByName(db, before)
    await users.renameUser(db, user, name)
    const text = `Renamed "${before}" to "${name}". Sign in with the new name.`
    print({ uuid: user.id, name }, text)
  })
}

/** Applies the rules of the sign-in, because it would reject any other name. */
function readName(given: string | undefined, usage: string): string {
  const name = NewAccount.shape.name.safeParse(required(given, usage))
  if (!name.success) throw new UsageError(`A name ${name.error.issues[0]!.message}.`)
  return name.data
}

export async function removeUser(call: Invocation): Promise<number> {
  const { args, environment, terminal, print } = call
  const name = required(args[0], 'a user: docent user remove NAME')
  const isRemoved = await withExisting(environment, async (db) => {
    const user = await users.getUserByName(db, name)
    await users.refuseLastUser(db, user)
    const { what, chatbots } = await describe(db, user)
    if (!(await mayDelete(call, 'Remove', what))) return false
    await users.deleteUser(db, user)
    // PostgreSQL nodes erase chatbots themselves, and two concurrent erasures would conflict.
    if (!isPostgres(db)) await eraseHiddenChatbots(db)
    print({ uuid: user.id, name, chatbots }, `Removed ${what}.`)
    return true
  })
  if (!isRemoved) return EXIT.failed
  const { dataDir, databaseUrl } = readConfig(environment)
  if (databaseUrl === undefined && !(await eraseDeletedNow(databaseFile(dataDir)))) {
    terminal.note(
      'Another process is reading the database. The next start erases the remaining data.',
    )
  }
  return EXIT.done
}

/** Describes what will be removed, for the confirmation. */
async function describe(db: Database, user: users.User) {
  const chatbots = await countChatbots(db, user.id)
  const counted = chatbots === 1 ? '1 chatbot' : `${chatbots || 'no'} chatbots`
  const inside = chatbots === 0 ? '' : ', their sources, sessions and webhooks'
  return { chatbots, what: `"${user.name}" with ${counted}${inside} and all tokens` }
}
