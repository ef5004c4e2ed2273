import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { startTestServer } from '../../../test/harness.ts'

// Typical documents and questions of small organizations: prices, hours and lists, in their own languages.

const { owner } = await startTestServer({ after })

async function chatbotOf(documents: Record<string, string>): Promise<string> {
  const chatbot = await owner.createChatbot({ rate_limit: [1000, 1] })
  for (const [name, text] of Object.entries(documents)) {
    const upload = await owner.upload(chatbot, name, text)
    await owner.settled(((await upload.json()) as { uuid: string }).uuid)
  }
  return chatbot
}

async function answerTo(chatbot: string, question: string): Promise<string> {
  return (await owner.ask(await owner.createSession(chatbot), question)).text()
}

suite('of a house without a language model', async () => {
  const hours = [
    'Day,Morning,Afternoon',
    'Monday,8:00 - 12:30,13:30 - 18:30',
    'Wednesday,8:00 - 12:30,closed (training)',
    'Sat / Sun,closed,closed',
  ]
  const chatbot = await chatbotOf({
    'surgery.html': `<h1>Surgery</h1><p>Mill Road 12, phone 555 010.</p><h2>Opening hours</h2><table>${hours
      .map((row, i) => `<tr>,${row}`.replaceAll(',', i === 0 ? '<th>' : '<td>'))
      .join('')}</table>`,
    'plans.md':
      '# Plans\n\n## Studio\n\n$29/month\n\n- Up to 5 users\n\n## Agency\n\n$79/month\n\n- Up to 20 users\n\n## Storage\n\nThe Studio plan comes with 25 GB of storage, the Agency plan with 250 GB.',
    'changes.md':
      '# Changes\n\n## 4.1\n\n### Added\n\n- A calendar\n\n## 4.0\n\n### Removed\n\n- The desktop app for Windows',
    'page.html':
      '<h1>Studio for yoga</h1><p>Trial classes are on Mondays.</p><h2>Comments</h2><p>Is there a sauna?</p><p>There is one, in the sauna room of the basement.</p>',
  })

  for (const [question, expected] of [
    ['Are you open on Saturday?', /Sat \/ Sun \| Morning: closed/],
    ['Is it open on Wednesday afternoon?', /Wednesday.*Afternoon: closed \(training\)/],
    ['opening hours', /Monday.*\n.*Wednesday.*\n.*Sat \/ Sun/],
    ['How many users can the Agency plan have?', /^Agency\s.*- Up to 20 users/s],
    ['Do you have an app for Windows?', /^Removed\s+- The desktop app for Windows$/],
    ['Is there a sauna?', /in the sauna room/],
  ] as const)
    test(`“${question}” is answered`, async () =>
      assert.match(await answerTo(chatbot, question), expected))
})

suite('in other languages', async () => {
  const german = await chatbotOf({
    'abfall.md':
      '# Abfall\n\n## Schadstoffe\n\nFarben, Lacke und Batterien nimmt das Schadstoffmobil an: am 12. April und am 18. Oktober auf dem Festplatz.\n\n## Tonnen\n\nDie Tonne mit 120 Litern wird am Dienstag geleert. 171,60 € sind für 120 Liter zu zahlen.',
  })

  test('what is not found is said in the language of the sources where the question does not tell', async () => {
    assert.match(await answerTo(german, 'Wasserschaden?'), /Quellen/)
  })
})
