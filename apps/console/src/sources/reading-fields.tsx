import { useState } from 'react'
import { metaOf, type Source } from '../api/records.ts'
import { linesOf } from '../forms/lines.ts'
import { NumberField, SelectField, TextField } from '../forms/text-field.tsx'
import { useSpeech, useWords } from '../words-context.tsx'
import { refreshText } from './refresh-text.ts'

/** The form's values for reading a page or site. */
export interface Reading {
  maxPages: number
  maxDepth: number
  /** Paths, one per line. */
  include: string
  exclude: string
  /** 0 means never. */
  refreshHours: number
}

export const USUAL_READING: Reading = {
  maxPages: 100,
  maxDepth: 10,
  include: '',
  exclude: '',
  refreshHours: 0,
}

export function readingOf(source: Source): Reading {
  const { crawl = {}, refresh_hours } = metaOf(source)
  return {
    maxPages: crawl.max_pages ?? USUAL_READING.maxPages,
    maxDepth: crawl.max_depth ?? USUAL_READING.maxDepth,
    include: (crawl.include ?? []).join('\n'),
    exclude: (crawl.exclude ?? []).join('\n'),
    refreshHours: refresh_hours ?? 0,
  }
}

export function crawlOf({ maxPages, maxDepth, include, exclude }: Reading) {
  return {
    max_pages: maxPages,
    max_depth: maxDepth,
    include: linesOf(include),
    exclude: linesOf(exclude),
  }
}

interface ReadingFieldsProps {
  reading: Reading
  onChange: (reading: Reading) => void
}

/** The limits of a crawl. */
export function SiteFields({ reading, onChange }: ReadingFieldsProps) {
  const t = useWords().sources
  const change = (part: Partial<Reading>) => onChange({ ...reading, ...part })
  const [hasPaths] = useState(reading.include !== '' || reading.exclude !== '')
  return (
    <>
      <div className="two">
        <NumberField
          label={t.maxPages}
          max={10_000}
          value={reading.maxPages}
          onChange={(maxPages) => change({ maxPages })}
        />
        <NumberField
          label={t.maxDepth}
          min={0}
          max={50}
          value={reading.maxDepth}
          onChange={(maxDepth) => change({ maxDepth })}
        />
      </div>
      <details open={hasPaths}>
        <summary>{t.whichPages}</summary>
        <div className="stack">
          <TextField
            label={t.include}
            rows={2}
            isCode
            value={reading.include}
            onChange={(include) => change({ include })}
          />
          <TextField
            label={t.exclude}
            hint={t.pathsHint}
            rows={2}
            isCode
            value={reading.exclude}
            onChange={(exclude) => change({ exclude })}
          />
        </div>
      </details>
    </>
  )
}

/** The refresh interval. A value set through the API stays selectable. */
export function RefreshField({ reading, onChange }: ReadingFieldsProps) {
  const speech = useSpeech()
  const [set] = useState(reading.refreshHours)
  const hours = [...new Set([0, 24, 168, set])].sort((a, b) => a - b)
  return (
    <SelectField
      label={speech.words.sources.refresh}
      value={reading.refreshHours}
      choices={hours.map((count): [number, string] => [count, refreshText(count, speech)])}
      onChange={(refreshHours) => onChange({ ...reading, refreshHours })}
    />
  )
}
