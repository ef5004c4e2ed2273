import { KEEP_COMMANDS } from './keeping/keep-commands.ts'
import { REMOTE_COMMANDS } from './remote/remote-commands.ts'
import { ACCESS_COMMANDS, SERVER_COMMANDS } from './server/server-commands.ts'

/** All commands. A new command is an entry in one of these lists. */
export const COMMAND_GROUPS = [
  { title: 'The server', commands: SERVER_COMMANDS },
  { title: 'Users and tokens', commands: ACCESS_COMMANDS },
  { title: 'Backups and moves', commands: KEEP_COMMANDS },
  { title: 'Running server *', commands: REMOTE_COMMANDS },
]

export const COMMANDS = COMMAND_GROUPS.flatMap(({ commands }) => commands)
