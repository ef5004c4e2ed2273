import { fill } from '@docent/words/words.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { usageQuery } from '../api/queries.ts'
import type { DayOfUse } from '../api/records.ts'
import { Budget } from '../chatbots/budget-form.tsx'
import { formatMs, formatNumber, formatPercent, formatRate } from '../format.ts'
import { EmptyState } from '../forms/empty-state.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useSpeech } from '../words-context.tsx'
import { fillDays } from './fill-days.ts'
import { UsagePlot } from './usage-plot.tsx'
import { UsageTable } from './usage-table.tsx'

const SPANS = [7, 30, 90]

export function UsagePage() {
  const { words, language } = useSpeech()
  const { uuid } = useParams({ from: '/chatbots/$uuid/usage' })
  const [days, setDays] = useState(30)
  const usage = useQuery(usageQuery(uuid, days))
  return (
    <div className="page wide">
      <PageHead title={words.usage.title} lead={words.usage.lead}>
        <select
          className="input"
          aria-label={words.usage.period}
          value={days}
          onChange={(event) => setDays(Number(event.target.value))}
        >
          {SPANS.map((span) => (
            <option key={span} value={span}>
              {fill(words.usage.days, { count: formatNumber(span, language) })}
            </option>
          ))}
        </select>
      </PageHead>
      <Loaded query={usage}>
        {(used) =>
          used.length === 0 ? (
            <EmptyState icon="usage" title={words.usage.empty} hint={words.usage.emptyHint} />
          ) : (
            <Plots used={used} days={days} />
          )
        }
      </Loaded>
      <Budget chatbot={uuid} />
    </div>
  )
}

function Plots({ used, days }: { used: DayOfUse[]; days: number }) {
  const { words, language } = useSpeech()
  const t = words.usage
  const all = fillDays(used, days)
  const sum = (pick: (day: DayOfUse) => number) => used.reduce((total, day) => total + pick(day), 0)
  const number = (value: number) => formatNumber(value, language)
  const percent = (share: number) => formatPercent(share, language)
  const ms = (value: number) => formatMs(value, language)
  const messages = sum((day) => day.messages)
  const answered = sum((day) => day.answered)
  const rated = sum((day) => day.rated_up + day.rated_down)
  const timed = used.filter((day) => day.first_text_p50 !== null)
  const median =
    timed.reduce((total, day) => total + day.first_text_p50!, 0) / Math.max(1, timed.length)
  return (
    <>
      <div className="plots">
        <UsagePlot
          title={t.messages}
          total={number(messages)}
          days={all}
          value={(day) => day.messages}
          format={number}
        />
        <UsagePlot
          title={t.answered}
          total={percent(answered / messages)}
          days={all}
          value={(day) => (day.messages === 0 ? null : day.answered / day.messages)}
          format={percent}
          most={1}
        />
        <UsagePlot
          title={t.firstWordMedian}
          total={ms(median)}
          days={all}
          value={(day) => day.first_text_p50}
          format={ms}
        />
        <UsagePlot
          title={t.tokens}
          total={number(sum((day) => day.tokens))}
          days={all}
          value={(day) => day.tokens}
          format={number}
        />
      </div>
      <dl className="facts">
        <div className="card">
          <dt>{t.sessionsADay}</dt>
          <dd>{formatRate(sum((day) => day.sessions) / days, language)}</dd>
        </div>
        <div className="card">
          <dt>{t.rated}</dt>
          <dd>{rated === 0 ? '–' : percent(sum((day) => day.rated_up) / rated)}</dd>
        </div>
      </dl>
      <UsageTable days={used} />
    </>
  )
}
