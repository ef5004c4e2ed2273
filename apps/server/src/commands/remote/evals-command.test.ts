import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { startRemote } from '../../../test/remote-docent.ts'
import { type LanguageModel, NO_TOKENS } from '../../models/model-catalog.ts'
import { scoreAnswer } from './score-answer.ts'

suite('docent evals', async () => {
  const remote = await startRemote({ after })
  const { run, start, server, folder } = remote
  const { owner } = server
  const chatbot = await owner.createChatbot({ name: 'Guide', show_citations: true })
  const pair = await owner.createPair(chatbot, 'When are you open?', 'Daily from 9 to 17.')
  await owner.createPair(chatbot, 'What does a ticket cost?', 'A ticket costs 12 euros.')
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
  write(
    'questions.csv',
    'question,expected\nWhen are you open?,daily from 9 to 17\nWhat does a ticket cost?,"12 euros|12 €"\nWho painted the ceiling?,\n',
  )

  test('passes what is answered as expected, or as expected not at all, and leaves no trace', async () => {
    const { code, stdout, stderr } = await run(['evals', 'questions.csv'])
    assert.equal(code, 0, stdout + stderr)
    assert.equal(stdout, '3 of 3 passed.\n')
    assert.deepEqual((await owner.json('GET', `/chatbot/${chatbot}/sessions`)).body, [])
    assert.equal(readResults().length, 3)
  })

  test('shows what became worse since the last run, and better again, by exit code, too', async () => {
    await owner.json('POST', `/data-source/${pair}/delete`)
    const worse = await run(['evals', 'questions.csv'])
    assert.equal(worse.code, 1)
    assert.match(
      worse.stdout,
      /^FAILED When are you open\?\n {2}expected daily from 9 to 17\n {2}answered /m,
    )
    assert.match(worse.stdout, /^worse {2}When are you open\?$/m)
    assert.match(worse.stdout, /^2 of 3 passed; 1 worse and 0 better than before\.$/m)
    const same = await run(['evals', 'questions.csv', '--fail-on', 'worse'])
    assert.equal(same.code, 0, 'it failed before, too')
    assert.match(same.stdout, /2 of 3 passed, unchanged\./)
    await owner.createPair(chatbot, 'When are you open?', 'Daily from 9 to 17.')
    const better = await run(['evals', 'questions.csv', '--json'])
    assert.equal(better.code, 0)
    assert.deepEqual(JSON.parse(better.stdout).changes, {
      worse: [],
      better: ['When are you open?'],
    })
  })

  test('refuses tables and options that it does not understand', async () => {
    write('columns.csv', 'frage,antwort\nWann?,Immer\n')
    write('empty.csv', 'question,expected\n')
    write('broken.csv', 'question,expected\nWhen?,"always\n')
    write('hole.csv', 'question,expected\n,always\n')
    for (const [args, message] of [
      [[], /Give a table/],
      [['nothing.csv'], /There is no file nothing\.csv/],
      [['columns.csv'], /needs the columns "question" and "expected"; it has "frage", "antwort"/],
      [['empty.csv'], /has no questions/],
      [['broken.csv'], /is damaged/],
      [['hole.csv'], /row 2 has no question/],
      [['questions.csv', '--pass', '2'], /--pass must be a number/],
      [['questions.csv', '--fail-on', 'monday'], /--fail-on must be/],
      [['questions.csv', '--results', 'questions.csv'], /has no results of an earlier run/],
    ] as const) {
      const { code, stderr } = await run(['evals', ...args])
      assert.equal(code, 2, args.join(' '))
      assert.match(stderr, message)
    }
  })

  test('killed half way, it leaves the results of the run before as they were', async () => {
    const before = readResults()
    const rows = Array.from({ length: 400 }, (_, i) => `"When are you open, ${i}?",daily`)
    write('many.csv', `question,expected\n${rows.join('\n')}\n`)
    const running = start(['evals', 'many.csv', '--results', 'questions.results.json'])
    while ((await owner.json('GET', `/chatbot/${chatbot}/sessions`)).body.length === 0) {
      assert.equal(running.process.exitCode, null)
    }
    running.process.kill('SIGKILL')
    await running.ended
    assert.deepEqual(readResults(), before)
    assert.equal(existsSync(join(folder, 'many.results.json')), false)
  })

  function readResults() {
    return JSON.parse(readFileSync(join(folder, 'questions.results.json'), 'utf8')).results
  }
})

suite('docent evals, with a language model', async () => {
  // Questions run concurrently, in any order.
  const model: LanguageModel = {
    name: 'moody',
    provider: 'test',
    async *stream({ prompt }) {
      if (prompt.includes('Second?')) throw new Error('out of order')
      yield { type: 'text-delta', text: 'Daily.' }
      yield { type: 'finish', reason: 'stop', tokens: NO_TOKENS }
    },
  }
  const { run, server, folder } = await startRemote({ after }, { models: [model] })
  await server.owner.createChatbot({ name: 'Guide' })

  test('an answer that fails is a result like any other, and the run goes on', async () => {
    const table = 'question,expected\nFirst?,daily\nSecond?,daily\nThird?,daily\n'
    writeFileSync(join(folder, 'some.csv'), table)
    const { code, stdout } = await run(['evals', 'some.csv'])
    assert.equal(code, 1)
    assert.match(stdout, /^FAILED Second\?\n {2}expected daily\n {2}not answered: /m)
    assert.match(stdout, /^2 of 3 passed\.$/m)
    const { results } = JSON.parse(readFileSync(join(folder, 'some.results.json'), 'utf8'))
    const failed = results.filter(({ error }: { error?: string }) => error)
    assert.deepEqual([results.length, failed.length, failed[0].passed], [3, 1, false])
  })

  test('without the right to ask there are no results', async () => {
    writeFileSync(join(folder, 'other.csv'), 'question,expected\nFirst?,daily\n')
    const environment = { DOCENT_TOKEN: 'docent_wrong' }
    assert.equal((await run(['evals', 'other.csv'], { environment })).code, 4)
    assert.equal(existsSync(join(folder, 'other.results.json')), false)
  })
})

test('an answer is judged by the share of the words that are expected of it', () => {
  for (const [expected, answer, answered, score] of [
    ['12 euros', 'A ticket costs 12 Euros. [1.1]', true, 1],
    ['13 euros', 'A ticket costs 12 euros.', true, 0.5],
    ['thirteen|12', 'It costs 12.', true, 1],
    ['1.1', 'Nothing. [1.1]', true, 0],
    ['', 'I did not find this.', false, 1],
    ['', 'It is blue.', true, 0],
    ['…', 'Anything', true, 0],
  ] as const) {
    assert.equal(scoreAnswer(expected, answer, answered), score, expected)
  }
})
