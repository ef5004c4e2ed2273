import { BuiltInModel } from '../embedding/built-in-model.ts'
import { OnnxFolderModel } from '../embedding/onnx-folder-model.ts'
import type {
  InferenceReply,
  InferenceRequest,
  InferenceResults,
  InferenceSign,
  InferenceTask,
  SentenceEncoder,
} from './inference-protocol.ts'
import { PassageReader } from './passage-reader.ts'

// The models, in a process of their own, each loaded when it is first asked for. Several requests take turns text by
// text, so that a question is answered between two passages of a long document.

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
// Who stops the server may send this to all of its processes. Answers that it lets end may need the models still.
process.on('SIGTERM', () => {})
// The server is gone, and there is nothing here to keep: also not the end of what runs.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
tell('ready')

function tell(said: InferenceReply | InferenceSign): void {
  // When the server is just gone, a failure without a callback would be thrown.
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
    // The next request tries again: there may only have been no memory, or too many open files.
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
