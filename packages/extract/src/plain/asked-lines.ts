// “Q: …” and “A: …” in English, German, French, Spanish, Italian and Portuguese. Italian and French share D. and R.
const QUESTION_MARK = 'Q|Question|Frage|F|Pregunta|Pergunta|Domanda|P|D'
const ANSWER_MARK = 'A|Answer|Antwort|Réponse|Respuesta|Resposta|Risposta|R'
const NUMBER = String.raw`[^\S\n]?\d{0,3}[^\S\n]?[:.)][^\S\n]*`
const QUESTION = new RegExp(
  String.raw`^[^\S\n]*(?:${QUESTION_MARK})${NUMBER}(\S[^\n]{2,300}[?？])[^\S\n]*$`,
  'i',
)
const ANSWER = new RegExp(String.raw`^[^\S\n]*(?:${ANSWER_MARK})${NUMBER}(?=\S)`, 'i')
const LEVEL = '###'
const FEWEST = 2

/** Turns questions and answers that are marked only by “Q:” and “A:” into headings with text. */
export function headAskedLines(text: string): string {
  const lines = text.split('\n')
  const asked: { at: number; title: string; next: number }[] = []
  let open: { at: number; title: string } | undefined
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue
    if (open && ANSWER.test(line)) asked.push({ ...open, next: i })
    const title = QUESTION.exec(line)?.[1]
    open = title === undefined ? undefined : { at: i, title }
  }
  if (asked.length < FEWEST) return text
  for (const { at, title, next } of asked) {
    lines[at] = `${at > 0 && lines[at - 1]!.trim() !== '' ? '\n' : ''}${LEVEL} ${title}\n`
    lines[next] = lines[next]!.replace(ANSWER, '')
  }
  return lines.join('\n')
}
