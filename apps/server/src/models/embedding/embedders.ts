import type { EmbedderConfig } from '../../config.ts'
import { Inference } from '../inference/inference.ts'
import { BUILT_IN_DIMENSIONS, BUILT_IN_NAME, isMostlyLatin } from './built-in-constants.ts'
import type { Embedder } from './embedder.ts'
import { LocalEmbedder } from './embedder-in-process.ts'
import { EndpointEmbedder } from './endpoint-embedder.ts'
import { readFolder } from './folder-files.ts'

/** `inference` is the process that the built-in encoder shares with the reader. */
export function openEmbedder(config: EmbedderConfig, inference = new Inference()): Embedder {
  switch (config.kind) {
    case 'built-in':
      return new LocalEmbedder(BUILT_IN_NAME, BUILT_IN_DIMENSIONS, inference, isMostlyLatin)
    case 'folder': {
      const { folder } = config
      const { dimensions } = readFolder(folder)
      return new LocalEmbedder(`folder ${folder}`, dimensions, new Inference({ folder }))
    }
    case 'endpoint':
      return new EndpointEmbedder(config)
  }
}

/** Opens an embedder that is no longer configured, while another one takes over from it. */
export function reopenEmbedder(name: string): Embedder | undefined {
  if (name === BUILT_IN_NAME) return openEmbedder({ kind: 'built-in' })
  const folder = name.match(/^folder (.+)$/)?.[1]
  try {
    return folder === undefined ? undefined : openEmbedder({ kind: 'folder', folder })
  } catch {
    // The folder is gone.
    return undefined
  }
}
