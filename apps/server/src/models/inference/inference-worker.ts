import { BuiltInModel } from '../embedding/built-in-encoder.ts'
import { OnnxFolderModel } from '../embedding/folder-encoder.ts'
import type {
  InferenceReply,
  InferenceRequest,
  InferenceResults,
  InferenceSign,
  InferenceTask,
  SentenceEncoder,
} from './inference-protocol.ts'
import { PassageReader } from './passage-reader.ts'

// Runs the models in a separate process and loads each on first use. Requests take turns text by text, so a question is
// answered between two passages of a long document.

const [folder] = process.argv.slice(2)
let encoder: Promise<SentenceEncoder> | undefined
let reader: Promise<PassageReader> | undefined

process.on('message', async (request: InferenceRequest) => {
  if (request === 'ping') return tell('pong')
  const { id, task } = request
  const reply: InferenceReply = await perform(task).then(
    (result) => ({ id, result }),
    ({ message, code }: NodeJS.ErrnoException) => ({ id, error: message, code }),
  )
  tell(reply)
})
// A supervisor may send SIGTERM to all processes of the server. Running answers may still need the models.
process.on('SIGTERM', () => {})
// The server is gone and this process has nothing to save, so it also drops running work.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
tell('ready')

function tell(said: InferenceReply | InferenceSign): void {
  // Without a callback, a failure to send would be thrown if the server has just exited.
  if (process.connected) process.send!(said, undefined, undefined, () => {})
}

async function loading<T>(load: () => Promise<T>): Promise<T> {
  tell('loading')
  try {
    return await load()
  } finally {
    tell('ready')
  }
}

async function perform(task: InferenceTask): Promise<InferenceResults[InferenceTask['kind']]> {
  if (task.kind === 'read') {
    reader ??= loading(() => PassageReader.load()).catch((error) => {
      reader = undefined
      throw error
    })
    return (await reader).read(task.question, task.passages)
  }
  encoder ??= loading(loadEncoder).catch((error) => {
    // The next request tries again: the cause may be a lack of memory or file handles.
    encoder = undefined
    throw error
  })
  const model = await encoder
  const vectors: Float32Array[] = []
  for (const text of task.texts) vectors.push(await model.embed(text, task.isQuestion))
  return vectors
}

async function loadEncoder(): Promise<SentenceEncoder> {
  return folder === undefined ? BuiltInModel.load() : OnnxFolderModel.load(folder)
}
