// Every runtime runs this same walk on the packed client, so it is plain JavaScript.

/** Adds a source, and asks over connections that break. The result is the same on every runtime. */
export async function walk({ Docent, NotFoundError }, { baseUrl, brokenUrl, token, file }) {
  const client = new Docent({ baseUrl, token })
  const broken = new Docent({ baseUrl: brokenUrl, token })
  const chatbot = await client.chatbots.create({ name: 'Anywhere', rate_limit: [10_000, 60] })
  const progress = []
  const source = await client.sources.upload(chatbot, file, {
    name: 'Öffnung "neu".txt',
    onProgress: (step) => progress.push(step),
  })
  const ready = await client.sources.waitUntilReady(source)
  const session = await client.sessions.create(chatbot)
  const answers = []
  for (let i = 0; i < 3; i++) {
    const query = `question number ${i}`
    const options = { reconnects: 100, timeout: 3_000, idleTimeout: 3_000 }
    let answer = ''
    for await (const text of broken.sessions.askText(session, query, options)) answer += text
    answers.push(answer)
  }
  const abort = new AbortController()
  let reason
  try {
    for await (const event of client.sessions.ask(session, 'question number 0', {
      signal: abort.signal,
    })) {
      if (event.type === 'text-delta') abort.abort(new Error('enough'))
    }
  } catch (error) {
    reason = error.message
  }
  let refused = false
  try {
    await client.chatbots.get('0'.repeat(32))
  } catch (error) {
    refused = error instanceof NotFoundError
  }
  return {
    fileName: ready.file_name,
    status: ready.status,
    wasTold: progress.length > 0 && progress.at(-1).sent === progress.at(-1).total,
    answers,
    messages: (await client.sessions.messages(session)).length,
    reason,
    refused,
  }
}
