import { parentPort, workerData } from 'node:worker_threads'
import { BuiltInModel } from './built-in-model.ts'
import type { EmbeddingReply, EmbeddingRequest, ThreadModel } from './embedding-protocol.ts'
import { OnnxFolderModel } from './onnx-folder-model.ts'

// A model, off the main thread. The windows of several requests take turns, so that a question is answered between
// two passages of a long document.

const { folder } = workerData as { folder: string | undefined }
const port = parentPort!
const loading: Promise<ThreadModel> =
  folder === undefined ? BuiltInModel.load() : OnnxFolderModel.load(folder)
loading.catch(() => {})

port.on('message', async ({ id, texts, isQuestion }: EmbeddingRequest) => {
  port.postMessage(await embed(id, texts, isQuestion))
})

async function embed(id: number, texts: string[], isQuestion: boolean): Promise<EmbeddingReply> {
  try {
    const model = await loading
    const vectors: Float32Array[] = []
    for (const text of texts) vectors.push(await model.embed(text, isQuestion))
    return { id, vectors }
  } catch (error) {
    return { id, error: (error as Error).message }
  }
}
