import { askBySdk } from './ask-by-sdk.ts'
import type { LanguageModel, ModelFamily } from './model-catalog.ts'
import { limitsOf, type ModelLimits } from './model-limits.ts'
import type { ModelsConfig, ProviderSettings, ProviderType } from './provider-settings.ts'
import { type AskProvider, watchedModel } from './watched-model.ts'

const MAX_TEMPERATURE: Record<ProviderType, number> = {
  openai: 2,
  anthropic: 1,
  google: 2,
  'openai-compatible': 2,
}

/** Connects all configured providers. Loads only the packages that they need. */
export async function connectProviders({
  providers,
  modelTimeouts,
}: Pick<ModelsConfig, 'providers' | 'modelTimeouts'>): Promise<{
  models: LanguageModel[]
  families: ModelFamily[]
}> {
  const models: LanguageModel[] = []
  const families: ModelFamily[] = []
  for (const settings of providers) {
    const connect = await connectorOf(settings)
    const model = (name: string, limits: ModelLimits) =>
      watchedModel(connect(name), {
        name,
        provider: settings.name,
        limits,
        maxTemperature: MAX_TEMPERATURE[settings.type],
        timeouts: modelTimeouts,
      })
    models.push(...settings.models.map(({ name, ...limits }) => model(name, limits)))
    const { family } = settings
    if (family) families.push({ pattern: family, model: (name) => model(name, limitsOf(name)) })
  }
  return { models, families }
}

type Connector = (model: string) => AskProvider

/** Passes every option, so that no package reads the environment. */
async function connectorOf({
  name,
  type,
  baseUrl,
  apiKey = '',
}: ProviderSettings): Promise<Connector> {
  const baseURL = baseUrl.replace(/\/+$/, '')
  switch (type) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      // Uses the chat interface, because the newer one stores every conversation at the provider by default.
      const openai = createOpenAI({ name, baseURL, apiKey })
      return (model) => askBySdk(openai.chat(model))
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      const anthropic = createAnthropic({ name, baseURL, apiKey })
      return (model) => askBySdk(anthropic(model))
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      const google = createGoogle({ name, baseURL, apiKey })
      return (model) => askBySdk(google(model))
    }
    case 'openai-compatible': {
      const { connectCompatible } = await import('./ask-compatible.ts')
      return connectCompatible({ name, baseUrl: baseURL, apiKey })
    }
  }
}
