import { forbidNetwork } from './forbid-network.ts'
import { IngestionError } from './ingestion-error.ts'
import type { ReadingTask } from './perform-task.ts'
import type { ReadingMessage } from './reading-process.ts'

// Reading documents is work for the processor, and hostile ones can make it endless: it happens here, where it
// holds nothing else up, may touch nothing, and can be killed.
forbidNetwork()

process.on('message', async (task: ReadingTask) => tell(await answer(task)))
// Nobody waits for the answer any more.
process.on('disconnect', () => process.exit())
tell({ type: 'ready' })

async function answer(task: ReadingTask): Promise<ReadingMessage> {
  try {
    // Loaded only now, when no parser can reach the network any more.
    const { performTask } = await import('./perform-task.ts')
    return { type: 'result', result: await performTask(task, () => tell({ type: 'progress' })) }
  } catch (error) {
    if (!(error instanceof IngestionError)) return { type: 'error', error: String(error) }
    return { type: 'refusal', status: error.status, reason: error.message }
  }
}

function tell(message: ReadingMessage): void {
  process.send!(message)
}
