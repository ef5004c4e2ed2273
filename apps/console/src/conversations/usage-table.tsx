import type { DayOfUse } from '../api/records.ts'
import { formatMs, formatNumber } from '../format.ts'
import { useSpeech } from '../words-context.tsx'

export function UsageTable({ days }: { days: DayOfUse[] }) {
  const { words, language } = useSpeech()
  const t = words.usage
  const number = (value: number) => formatNumber(value, language)
  const ms = (value: number | null) => (value === null ? '–' : formatMs(value, language))
  return (
    <details className="card">
      <summary>{t.table}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and keyboards must be able to */}
      <div className="table-scroll" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t.date}</th>
              <th scope="col">{t.messages}</th>
              <th scope="col">{t.answered}</th>
              <th scope="col">{t.sessions}</th>
              <th scope="col">{t.firstWordMedian}</th>
              <th scope="col">{t.firstWordSlow}</th>
              <th scope="col">{t.tokens}</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.date}>
                <th scope="row">{day.date}</th>
                <td>{number(day.messages)}</td>
                <td>{number(day.answered)}</td>
                <td>{number(day.sessions)}</td>
                <td>{ms(day.first_text_p50)}</td>
                <td>{ms(day.first_text_p95)}</td>
                <td>{number(day.tokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
