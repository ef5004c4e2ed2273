import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { startTestServer } from './harness.ts'
import { type Reply, startProvider } from './local-provider.ts'

// What servers do that speak a protocol nearly as it is meant.
suite('a model whose server', async () => {
  const provider = await startProvider({ after })
  const environment = {
    OPENAI_API_KEY: 'test-key',
    OPENAI_BASE_URL: `${provider.address}/v1`,
    OPENAI_MODELS: 'local-test=16000',
    MODEL_FIRST_TEXT_SECONDS: '1',
    MODEL_STALL_SECONDS: '20',
  }
  const { owner } = await startTestServer({ after }, { environment })
  const chatbot = await owner.createChatbot({ rate_limit: [1_000, 60] })
  const session = await owner.createSession(chatbot)
  const ask = async (reply: Reply) => {
    provider.calls.length = 0
    provider.replies = [reply]
    const response = await owner.ask(session, 'Hello?')
    const text = await response.text()
    return { status: response.status, text, message: (await owner.messages(session)).at(-1) }
  }

  test('leaves the connection open when it is done has answered', async () => {
    const { text, message } = await ask({ ending: 'left open' })
    assert.deepEqual([text, message.finish_reason], ['Hello world.', 'stop'])
    await provider.calls[0]!.closed
    // The next one is asked all the same.
    assert.equal((await ask({})).text, 'Hello world.')
  })

  test('counts tokens in its own way loses no answer', async () => {
    for (const [tokens, counted] of [
      [{ prompt: 12.5, completion: -1 }, [13, 0]],
      [{ prompt: 9e18, completion: 9e18 }, [1e9, 1e9]],
      [{ prompt: 9e18, completion: 9e18 }, [1e9, 1e9]],
    ] as const) {
      const { text, message } = await ask({ tokens })
      assert.deepEqual([text, message.finish_reason], ['Hello world.', 'stop'])
      const { prompt_tokens, completion_tokens } = JSON.parse(
        message.meta_json,
      ).actual_token_distribution
      assert.deepEqual([prompt_tokens, completion_tokens], counted)
    }
  })

  test('sends markers alone has given no answer, whether citations are shown or not', async () => {
    await owner.createPair(chatbot, 'Hello?', 'Hello world.')
    for (const show_citations of [true, false]) {
      await owner.json('POST', `/chatbot/${chatbot}/update`, { show_citations })
      for (const words of [
        ['[1', '.1]'],
        [' 【1.1†source】', '\n'],
        ['[1.1]', ' [7.7, 1.1]'],
      ]) {
        const { status, text, message } = await ask({ words })
        assert.equal(status, 502, JSON.stringify(words))
        assert.match(text, /local-test gave no answer/)
        assert.deepEqual([message.response, message.finish_reason], ['', 'error'])
      }
    }
    // Without citations it is not ours, and may be what was asked for.
    assert.equal((await ask({ words: ['[1]'] })).message.response, '[1]')
    await owner.json('POST', `/chatbot/${chatbot}/update`, { show_citations: true })
    const begun = await ask({ words: ['[1.1]', ' Hello', ' world.'] })
    assert.equal(begun.message.response, '[1.1] Hello world.')
  })

  test('says again and again that it is at work, and nothing else, is given up', async () => {
    const { status, text } = await ask({ words: [], ending: 'pondering' })
    assert.equal(status, 502)
    assert.match(text, /took too long/)
    await provider.calls[0]!.closed
  })
})
