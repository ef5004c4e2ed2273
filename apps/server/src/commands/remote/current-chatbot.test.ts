import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { startRemote } from '../../../test/remote-docent.ts'

suite('a command that names no chatbot', async () => {
  const { run, folder, server } = await startRemote({ after })
  const create = async (name: string) => {
    const { stdout, stderr } = await run(['bot', 'create', name, '--json'])
    assert.equal(stderr, '')
    return JSON.parse(stdout).uuid as string
  }
  const first = await create('Museum guide')
  const second = await create('Garden guide')
  const shown = async () => JSON.parse((await run(['bot', 'show', '--json'])).stdout).name

  test('uses the one made last, and says so', async () => {
    writeFileSync(join(folder, 'garden.txt'), 'The gazebo opens at nine.')
    const added = await run(['source', 'add', 'garden.txt'])
    assert.equal(added.code, 0, added.stderr)
    assert.match(added.stderr, /^Using "Garden guide" \(.*\), the last chatbot created or used/m)
    const answer = await run(['chat', 'When does the gazebo open?'])
    assert.match(answer.stdout, /opens at nine/)
    assert.match(answer.stderr, /Using "Garden guide"/)
    assert.doesNotMatch(answer.stdout, /Using/)
    const { body } = await server.owner.json('GET', `/chatbot/${second}/data-sources`)
    assert.equal(body.length, 1)
  })

  test('uses the one that was named last', async () => {
    const named = await run(['source', 'list', '--bot', 'Museum guide'])
    assert.equal(named.stderr, '')
    assert.equal(await shown(), 'Museum guide')
    await run(['source', 'list', '--bot', second])
    assert.equal(await shown(), 'Garden guide')
  })

  test('says nothing beside JSON', async () => {
    const { code, stdout, stderr } = await run(['source', 'list', '--json'])
    assert.deepEqual([code, stderr, JSON.parse(stdout).length], [0, '', 1])
  })

  test('asks where nothing was made or used on that server', async () => {
    const environment = { DOCENT_URL: server.address.replace('127.0.0.1', 'localhost') }
    const { code, stderr } = await run(['source', 'list'], { environment })
    assert.equal(code, 2)
    assert.match(stderr, /Choose a chatbot with --bot/)
  })

  test('asks when the one used last is gone, unless one is left', async () => {
    const third = await create('Tower guide')
    assert.equal((await run(['bot', 'delete', third, '--yes'])).code, 0)
    const { code, stderr } = await run(['chat', 'Hello?'])
    assert.equal(code, 2)
    assert.match(stderr, /Choose a chatbot with --bot:\n.*Museum guide/)
    await run(['bot', 'delete', first, '--yes'])
    const { stderr: silent } = await run(['source', 'list'])
    assert.equal(silent, '')
  })

  test('works where what it remembers is damaged', async () => {
    for (const content of ['', 'null', '[1]', '{"a":']) {
      writeFileSync(join(folder, '.config/docent/current-chatbots.json'), content)
      assert.equal((await run(['source', 'list'])).code, 0, content)
    }
  })
})
