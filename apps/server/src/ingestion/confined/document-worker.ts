import { IngestionError } from '@docent/extract/ingestion-error.ts'
import { forbidNetwork } from './forbid-network.ts'
import type { ReadingMessage, ReadingOrder, ReadingTask, TaskHost } from './worker-messages.ts'

// Parsing needs the CPU, and a hostile document can make it endless. This process blocks nothing else, may access
// nothing, and can be killed.
forbidNetwork()

let file: Uint8Array | undefined
let hearText: ((text: string) => void) | undefined

const host: TaskHost = {
  showLife: () => void tell({ type: 'life' }),
  showProgress: (progress) => void tell({ type: 'progress', progress }),
  sendPart: (part) => tell({ type: 'part', part }),
  recognise: (picture) =>
    new Promise((resolve) => {
      hearText = resolve
      void tell({ type: 'recognise', picture })
    }),
}

process.on('message', async (order: ReadingOrder) => {
  if (order.type === 'task') return tell(await answer(order.task))
  if (order.type === 'recognised') return hearText?.(order.text)
  file ??= new Uint8Array(order.size)
  file.set(order.bytes, order.offset)
})
// The server no longer waits for the result.
process.on('disconnect', () => process.exit())
void tell({ type: 'ready' })

async function answer(task: ReadingTask): Promise<ReadingMessage> {
  try {
    // Imported after `forbidNetwork`, so that parsers never get the network.
    const { performTask } = await import('./read-task.ts')
    const input = { ...task.input, bytes: file ?? task.input.bytes }
    file = undefined
    return { type: 'result', result: await performTask({ ...task, input }, host) }
  } catch (error) {
    if (!(error instanceof IngestionError)) return { type: 'error', error: String(error) }
    const { status, failure, isScan } = error
    return { type: 'refusal', status, failure, isScan }
  }
}

function tell(message: ReadingMessage): Promise<void> {
  return new Promise((resolve) => process.send!(message, () => resolve()))
}
