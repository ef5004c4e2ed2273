import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoreCandidate } from '@docent/server/src/search/ranking/combine-scores.ts'
import { analyzeText } from '@docent/text/analyze-text.ts'
import { detectLanguage } from '@docent/text/detect-language.ts'
import { quote } from './quoting.ts'

test('a row with far more of the question than what the reader likes is the answer, also where it is not sure', () => {
  const rows = ['Activity: Driving | Wait: 1 week', 'Activity: Swimming | Wait: 6 weeks']
  const text = `You may drive again after a week.\n\n${rows.join('\n')}`
  const ask = (presence: number, coverage: number[]) =>
    quote('When can I go swimming again?', [[text, 'after a week']], presence, coverage)
  assert.equal(ask(3, [0.2, 0, 0.6]).text, `${rows[1]} [1.1]`)
  // A word in the header counts for all rows, so it decides nothing.
  assert.match(ask(3, [0.2, 0.6, 0.6]).text, /^You may drive/)
  const { text: unsure, answered } = ask(-20, [0, 0, 0.3])
  assert.deepEqual({ unsure, answered }, { unsure: `${rows[1]} [1.1]`, answered: true })
})

test('of items that say the same under several headings, the one under what was asked for is the answer', () => {
  const text = '# Plans\n\n## Studio\n\n- Up to 5 users\n\n## Agency\n\n- Up to 20 users'
  const ask = (headings: [studio: number, agency: number]) => {
    const coverage = [0, headings[0], 0.3, headings[1], 0.3]
    const question = 'How many users can the Agency plan have?'
    return quote(question, [[text, '5 users']], 3, coverage).text
  }
  assert.match(ask([0, 0.4]), /^Agency[\s\S]*20 users/)
  // The question names no heading.
  assert.match(ask([0, 0]), /Up to 5 users/)
})

test('where the next sentence has the case that was asked for, both are quoted', () => {
  const text = 'The house is open daily from 10 to 18. In winter it closes at 16. Dogs may come in.'
  const ask = (question: string) => quote(question, [[text, '10 to 18']]).text
  assert.match(
    ask('When is it open in winter?'),
    /10 to 18.* In winter it closes at 16\. \[1\.1\]$/,
  )
  assert.doesNotMatch(ask('When is it open?'), /winter/)
})

test('the language of a question without small words is that of the sources, if that can be told', () => {
  assert.equal(detectLanguage('dehumidifier price', 'Item | Mon 9 to 5 | Week: 5'), 'en')
  assert.equal(detectLanguage('Preis Gerät', 'Das Gerät kostet nicht viel.'), 'de')
  assert.equal(detectLanguage('transit van for one day', 'Vans are hired by the day.'), 'en')
})

test('short names of days and months are those days and months', () => {
  const statistics = { passages: 3, averageLength: 30, found: new Map([['august', 1]]) }
  const words = { terms: analyzeText('August'), all: analyzeText('August') }
  const candidate = {
    words: `\n${analyzeText('Jul, Aug: 1,590').join(' ')}`,
    isPair: false,
    cosine: 0,
    understood: 1,
  }
  assert.deepEqual(scoreCandidate(words, candidate, statistics).sentenceCoverage, [1])
})
