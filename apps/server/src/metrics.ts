import type { LimitName } from '@docent/contract/failures/error-codes.ts'
import type { FinishReason } from '@docent/contract/messages.ts'

/** Content type of Prometheus's text format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Labels = Record<string, string | number>

interface Metric {
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** Lines without the metric's name. */
  lines(): string[] | Promise<string[]>
}

/** The metrics of `/metrics`. */
export class Metrics {
  readonly #requests = new Map<string, RouteCounts>()
  readonly #answers = new Map<FinishReason, number>()
  readonly #refusals = new Map<LimitName, number>()
  readonly #firstText = new Durations([0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30])
  readonly #metrics = new Map<string, Metric>([
    [
      'docent_http_requests_total',
      {
        help: 'Requests answered, by method, route and status.',
        type: 'counter',
        lines: () => [...this.#requests].flatMap(([route, { counts }]) => linesOf(route, counts)),
      },
    ],
    [
      'docent_http_request_duration_seconds',
      {
        help: 'Time from a request to the end of its answer, by route.',
        type: 'histogram',
        lines: () =>
          [...this.#requests].flatMap(([route, { durations }]) => durations.lines({ route })),
      },
    ],
    [
      'docent_answer_first_text_seconds',
      {
        help: 'Time from a question to the first text of its answer.',
        type: 'histogram',
        lines: () => this.#firstText.lines({}),
      },
    ],
    [
      'docent_answers_total',
      {
        help: 'Answers ended, by finish reason.',
        type: 'counter',
        lines: () =>
          Array.from(this.#answers, ([reason, count]) =>
            lineOf('', { finish_reason: reason }, count),
          ),
      },
    ],
    [
      'docent_refusals_total',
      {
        help: 'Requests refused by a limit, by its name.',
        type: 'counter',
        lines: () => Array.from(this.#refusals, ([limit, count]) => lineOf('', { limit }, count)),
      },
    ],
  ])

  requestFinished(method: string, route: string, status: number, seconds: number): void {
    let requests = this.#requests.get(route)
    if (!requests) {
      requests = { counts: new Map(), durations: new Durations(REQUEST_BOUNDS) }
      this.#requests.set(route, requests)
    }
    let byStatus = requests.counts.get(method)
    if (!byStatus) {
      byStatus = new Map()
      requests.counts.set(method, byStatus)
    }
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    requests.durations.add(seconds)
  }

  answerFinished(reason: FinishReason, firstTextMs: number | undefined): void {
    this.#answers.set(reason, (this.#answers.get(reason) ?? 0) + 1)
    if (firstTextMs !== undefined) this.#firstText.add(firstTextMs / 1000)
  }

  requestRefused(limit: LimitName): void {
    this.#refusals.set(limit, (this.#refusals.get(limit) ?? 0) + 1)
  }

  /** Adds a gauge that is read on every request. */
  watch(name: string, help: string, read: () => number | Promise<number>): void {
    const lines = async () => [lineOf('', {}, await read())]
    this.#metrics.set(name, { help, type: 'gauge', lines })
  }

  /** Returns all metrics in Prometheus's text format. */
  async describe(): Promise<string> {
    const all: string[] = []
    for (const [name, { help, type, lines }] of this.#metrics) {
      all.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
      for (const line of await lines()) all.push(name + line)
    }
    return `${all.join('\n')}\n`
  }
}

const REQUEST_BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

type StatusCounts = Map<number, number>

interface RouteCounts {
  counts: Map<string, StatusCounts>
  durations: Durations
}

function linesOf(route: string, counts: Map<string, StatusCounts>): string[] {
  return [...counts].flatMap(([method, byStatus]) =>
    Array.from(byStatus, ([status, count]) => lineOf('', { method, route, status }, count)),
  )
}

/** A Prometheus histogram. */
class Durations {
  readonly #bounds: number[]
  readonly #counts: number[]
  #count = 0
  #sum = 0

  constructor(bounds: number[]) {
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  add(seconds: number): void {
    this.#count += 1
    this.#sum += seconds
    const bucket = this.#bounds.findIndex((bound) => seconds <= bound)
    if (bucket !== -1) this.#counts[bucket]! += 1
  }

  lines(labels: Labels): string[] {
    let below = 0
    const buckets = this.#bounds.map((le, index) => {
      below += this.#counts[index]!
      return lineOf('_bucket', { le, ...labels }, below)
    })
    return [
      ...buckets,
      lineOf('_bucket', { le: '+Inf', ...labels }, this.#count),
      lineOf('_sum', labels, this.#sum),
      lineOf('_count', labels, this.#count),
    ]
  }
}

function lineOf(suffix: string, labels: Labels, value: number): string {
  const named = Object.entries(labels).map(
    ([name, label]) => `${name}="${escapeLabel(String(label))}"`,
  )
  return `${suffix}${named.length > 0 ? `{${named.join(',')}}` : ''} ${value}`
}

function escapeLabel(label: string): string {
  return label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
