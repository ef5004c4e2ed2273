import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../runtime/parse-json.ts'

const Config = z.object({
  // Signs are stored eight to a byte.
  hidden_size: z.number().int().positive().multipleOf(8),
  max_position_embeddings: z.number().int().positive().default(512),
})
const Pooling = z.object({ pooling_mode_cls_token: z.boolean().default(false) })
const Prompts = z.object({ prompts: z.record(z.string(), z.string()).default({}) })
const AnyObject = z.record(z.string(), z.unknown())

const MODEL_FILES = ['onnx/model.onnx', 'model.onnx', 'onnx/model_quantized.onnx']

/** The files and settings of a published sentence encoder. */
export type FolderFiles = ReturnType<typeof readFolder>

/** Throws if the folder lacks a required file. */
export function readFolder(folder: string) {
  const modelFile = MODEL_FILES.map((name) => join(folder, name)).find((file) => existsSync(file))
  const missing = ['config.json', 'tokenizer.json'].filter(
    (name) => !existsSync(join(folder, name)),
  )
  if (modelFile === undefined) missing.push(MODEL_FILES[0]!)
  if (missing.length > 0) throw new Error(`The folder ${folder} lacks ${missing.join(', ')}.`)
  const config = readJson(folder, 'config.json', Config)
  return {
    modelFile: modelFile!,
    dimensions: config.hidden_size,
    maxTokens: config.max_position_embeddings,
    usesFirstToken: readJson(folder, '1_Pooling/config.json', Pooling).pooling_mode_cls_token,
    prompts: readJson(folder, 'config_sentence_transformers.json', Prompts).prompts,
    tokenizer: readJson(folder, 'tokenizer.json', AnyObject),
    tokenizerConfig: readJson(folder, 'tokenizer_config.json', AnyObject),
  }
}

/** A missing file counts as an empty object. */
function readJson<T>(folder: string, name: string, schema: z.ZodType<T>): T {
  const file = join(folder, name)
  const result = schema.safeParse(existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : {})
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => [...path, message].join(': '))
  throw new Error(`${file} is not valid: ${problems.join('; ')}.`)
}
