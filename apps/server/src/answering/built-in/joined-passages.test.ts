import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { startTestServer } from '../../../test/harness.ts'

const PUMP = `To start the pump, open the valve and run this command:

\`\`\`sh
pump start --tank 1
\`\`\`

Then wait for the water.
`
const FILLING = `To fill all tanks:

\`\`\`
${Array.from({ length: 100 }, (_, tank) => `pump fill --tank ${tank}`).join('\n')}
\`\`\`

The filter is rinsed with vinegar every autumn.
`

suite('passages of one document that are found together', async () => {
  const { owner } = await startTestServer({ after })

  test('answer with their last sentence, though all of them are more than the reader reads', async () => {
    const chatbot = await owner.createChatbot({ show_citations: true })
    for (const [name, text] of [
      ['pump.md', PUMP],
      ['filling.md', FILLING],
    ] as const) {
      const upload = await owner.upload(chatbot, name, text)
      await owner.settled(((await upload.json()) as { uuid: string }).uuid)
    }
    const session = await owner.createSession(chatbot)
    await (await owner.ask(session, 'How do I start the pump?')).text()
    const answer = await (
      await owner.ask(session, 'When is the filter rinsed with vinegar?')
    ).text()
    assert.match(answer, /^The filter is rinsed with vinegar every autumn\./)
  })
})
