import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readUntil, scriptedModel, startTestServer } from '@docent/server/test/harness.ts'
import { needsNginx } from '@docent/server/test/machine/outside-tools.ts'
import { startNginx } from '@docent/server/test/machine/start-nginx.ts'

suite('behind nginx', needsNginx(), () => {
  for (const [name, settings] of [
    ['in its default configuration', ''],
    ['with buffering on', 'proxy_buffering on; proxy_buffers 16 64k; proxy_http_version 1.1;'],
  ] as const) {
    for (const accept of ['text/plain', 'text/event-stream']) {
      test(`${name}, each piece of ${accept} arrives at once`, async (t) => {
        const script = scriptedModel()
        const { address, owner } = await startTestServer(t, { models: [script.model] })
        const front = await startNginx(
          t,
          (listen) =>
            `server { listen ${listen}; location / { proxy_pass ${address}; ${settings} } }`,
        )
        const session = await owner.createSession(await owner.createChatbot())
        script.say('First')
        const response = await fetch(`${front}/api/v1/session/${session}/message/stream`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${owner.token}`,
            'content-type': 'application/json',
            accept,
          },
          body: JSON.stringify({ query: 'hi' }),
        })
        const reader = response.body!.getReader()
        // The model sends no more until this is read, so a proxy that buffers would wait forever.
        assert.match(await readUntil(reader, 'First'), /First/)
        script.say(' and second')
        assert.match(await readUntil(reader, 'second'), /second/)
        script.finish()
        await readUntil(reader, 'never')
      })
    }
  }
})
