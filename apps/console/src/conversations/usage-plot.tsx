import { useState } from 'react'
import type { DayOfUse } from '../api/records.ts'
import { useSpeech } from '../words-context.tsx'

const WIDTH = 600
const HEIGHT = 140
const GAP = 0.28

interface UsagePlotProps {
  title: string
  total: string
  days: DayOfUse[]
  value: (day: DayOfUse) => number | null
  format: (value: number) => string
  /** The top of the scale. Defaults to the largest value. */
  most?: number
}

/** One bar per day. Screen readers get the same numbers from the table below. */
export function UsagePlot({ title, total, days, value, format, most }: UsagePlotProps) {
  const { language } = useSpeech()
  const [pointed, setPointed] = useState<DayOfUse>()
  const top = most ?? Math.max(1, ...days.map((day) => value(day) ?? 0))
  const step = WIDTH / days.length
  const shown = pointed && value(pointed)
  const date = (day: DayOfUse) =>
    new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
      Date.parse(day.date),
    )
  return (
    <figure className="card plot">
      <figcaption>
        <span>{title}</span>
        <strong>{total}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onMouseLeave={() => setPointed(undefined)}
      >
        {days.map((day, index) => {
          const share = (value(day) ?? 0) / top
          const height = share === 0 ? 2 : Math.max(4, share * HEIGHT)
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: a hint for the mouse; the table says the same
            <g key={day.date} onMouseEnter={() => setPointed(day)}>
              <rect x={index * step} width={step} height={HEIGHT} fill="transparent" />
              <rect
                className={share === 0 ? 'bar none' : 'bar'}
                data-pointed={day === pointed}
                x={index * step + (step * GAP) / 2}
                y={HEIGHT - height}
                width={step * (1 - GAP)}
                height={height}
              />
            </g>
          )
        })}
      </svg>
      <div className="plot-foot" aria-hidden="true">
        {pointed ? (
          <span>
            {date(pointed)}: {shown == null ? '–' : format(shown)}
          </span>
        ) : (
          <>
            <span>{date(days[0]!)}</span>
            <span>{date(days.at(-1)!)}</span>
          </>
        )}
      </div>
    </figure>
  )
}
