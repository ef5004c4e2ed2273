import { DOCUMENTS } from './blocks.ts'
import { testCommands } from './run-commands.ts'

await testCommands(DOCUMENTS.filter((file) => file.startsWith('docs/how-to/')))
