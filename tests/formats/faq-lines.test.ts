import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { read } from '@docent/server/test/files/read-upload.ts'

describe('questions and answers that are marked as such', () => {
  const pairs =
    'Our shop\nQ: Do you ship?\nA: Yes, we\ndo.\n\nQ. How long does it take?\n\nA. A week.'

  test('become headings that ask, and what stands under them', async () => {
    assert.equal(
      (await read(pairs, 'faq.txt')).text,
      'Our shop\n\n### Do you ship?\n\nYes, we\ndo.\n\n### How long does it take?\n\n\nA week.',
    )
  })

  test('but a single one stays as it is, and what has no answer', async () => {
    const text = 'Q: Do you ship?\nA: Yes.\nQ: When?\nP. D. James wrote it.'
    assert.equal((await read(text, 'faq.txt')).text, text)
  })
})
