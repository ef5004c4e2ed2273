// The event streams of three providers as they come over the wire.

export type Ending = 'stop' | 'length' | 'content_filter'

export interface Protocol {
  /** The request header that carries the key. */
  keyHeader: string
  begin(model: string): string[]
  say(text: string): string
  finish(ending: Ending, tokens: { prompt: number; completion: number }): string[]
  /** An event that ends in the middle of its JSON. */
  malformed: string
  failure(status: number): object
  wrongKey: { status: number; body: object }
  models(names: string[]): object
}

const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`
const named = (event: { type: string }) => `event: ${event.type}\n${data(event)}`

function chatChunk(choice: object, rest: object = {}): string {
  return data({
    id: 'chatcmpl-9x',
    object: 'chat.completion.chunk',
    created: 1_763_190_000,
    model: 'local',
    service_tier: 'default',
    system_fingerprint: 'fp_1',
    choices: [{ index: 0, logprobs: null, finish_reason: null, ...choice }],
    ...rest,
  })
}

export const openai: Protocol = {
  keyHeader: 'authorization',
  begin: () => [chatChunk({ delta: { role: 'assistant', content: '', refusal: null } })],
  say: (text) => chatChunk({ delta: { content: text } }),
  finish: (ending, { prompt, completion }) => [
    chatChunk({ delta: {}, finish_reason: ending }),
    chatChunk(
      {},
      {
        choices: [],
        usage: {
          prompt_tokens: prompt,
          completion_tokens: completion,
          total_tokens: prompt + completion,
          prompt_tokens_details: { cached_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 0 },
        },
      },
    ),
    'data: [DONE]\n\n',
  ],
  malformed: 'data: {"id":"chatcmpl-9x","choices":[{"delta":{"content":"ha\n\n',
  failure: (status) => ({
    error: { message: `failed with ${status}`, type: 'server_error', param: null, code: null },
  }),
  wrongKey: {
    status: 401,
    body: {
      error: {
        message: 'Incorrect API key provided: sk-secret.',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_api_key',
      },
    },
  },
  models: (names) => ({
    object: 'list',
    data: names.map((id) => ({ id, object: 'model', created: 1, owned_by: 'local' })),
  }),
}

export const anthropic: Protocol = {
  keyHeader: 'x-api-key',
  begin: (model) => [
    named({
      type: 'message_start',
      message: {
        id: 'msg_01',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 11, output_tokens: 1 },
      },
    } as { type: string }),
    named({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    } as { type: string }),
    named({ type: 'ping' }),
  ],
  say: (text) =>
    named({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    } as { type: string }),
  finish: (ending, { prompt, completion }) => [
    named({ type: 'content_block_stop', index: 0 } as { type: string }),
    named({
      type: 'message_delta',
      delta: {
        stop_reason: { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal' }[ending],
        stop_sequence: null,
      },
      usage: { input_tokens: prompt, output_tokens: completion },
    } as { type: string }),
    named({ type: 'message_stop' }),
  ],
  malformed: 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"del\n\n',
  failure: (status) => ({
    type: 'error',
    error: { type: status === 529 ? 'overloaded_error' : 'api_error', message: `${status}` },
  }),
  wrongKey: {
    status: 401,
    body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
  },
  models: (names) => ({
    data: names.map((id) => ({ type: 'model', id, display_name: id, created_at: '2026-01-01' })),
    has_more: false,
    first_id: names[0],
    last_id: names.at(-1),
  }),
}

const candidate = (parts: object[], rest: object = {}, usage: object = {}) =>
  `data: ${JSON.stringify({
    candidates: [{ content: { parts, role: 'model' }, index: 0, ...rest }],
    usageMetadata: { promptTokenCount: 11, totalTokenCount: 11, ...usage },
    modelVersion: 'local',
    responseId: 'r1',
  })}\r\n\r\n`

export const google: Protocol = {
  keyHeader: 'x-goog-api-key',
  begin: () => [],
  say: (text) => candidate([{ text }]),
  finish: (ending, { prompt, completion }) => [
    candidate(
      [{ text: '' }],
      { finishReason: { stop: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' }[ending] },
      {
        promptTokenCount: prompt,
        candidatesTokenCount: completion,
        totalTokenCount: prompt + completion,
      },
    ),
  ],
  malformed: 'data: {"candidates":[{"content":{"parts":[{"te\r\n\r\n',
  failure: (status) => ({ error: { code: status, message: `${status}`, status: 'UNAVAILABLE' } }),
  wrongKey: {
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'API key not valid. Please pass a valid API key.',
        status: 'INVALID_ARGUMENT',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
        ],
      },
    },
  },
  models: (names) => ({ models: names.map((name) => ({ name: `models/${name}`, version: '1' })) }),
}
