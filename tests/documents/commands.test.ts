import { DOCUMENTS } from './blocks.ts'
import { testCommands } from './run-commands.ts'

// How-to guides have a test file of their own, which runs at the same time.
await testCommands(DOCUMENTS.filter((file) => !file.startsWith('docs/how-to/')))
