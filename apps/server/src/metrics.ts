import type { LimitName } from '@docent/contract/failures/error-codes.ts'
import type { FinishReason } from '@docent/contract/messages.ts'

/** Content type of Prometheus's text format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Labels = Record<string, string | number>

interface Description {
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  labels?: readonly string[]
}

/** All metrics, in the order of `/metrics`. */
export const METRICS = {
  docent_http_requests_total: {
    type: 'counter',
    help: 'HTTP requests, by method, route and status.',
    labels: ['method', 'route', 'status'],
  },
  docent_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from a request to the end of its response, by route.',
    labels: ['route'],
  },
  docent_answer_first_text_seconds: {
    type: 'histogram',
    help: 'Time from a question to the first text of its answer.',
  },
  docent_answers_total: {
    type: 'counter',
    help: 'Finished answers, by finish reason.',
    labels: ['finish_reason'],
  },
  docent_refusals_total: {
    type: 'counter',
    help: 'Requests rejected by a limit, by its name.',
    labels: ['limit'],
  },
  docent_unfinished_bodies: { type: 'gauge', help: 'Requests whose body is still arriving.' },
  docent_streams: { type: 'gauge', help: 'Running answers.' },
  docent_waiting_answers: { type: 'gauge', help: 'Questions that wait for their first text.' },
  docent_waiting_model_answers: {
    type: 'gauge',
    help: 'Questions that wait for the first text of a language model.',
  },
  docent_waiting_built_in_answers: {
    type: 'gauge',
    help: 'Questions that wait for the built-in engine.',
  },
  docent_waiting_searches: { type: 'gauge', help: 'Searches in the queue.' },
  docent_waiting_inference_tasks: {
    type: 'gauge',
    help: 'Tasks in the queue of the built-in models.',
  },
  docent_queue_depth: { type: 'gauge', help: 'Sources that wait or are being read.' },
  docent_uploads: { type: 'gauge', help: 'Running uploads.' },
  docent_waiting_uploads: { type: 'gauge', help: 'Uploads that wait for a place.' },
  docent_resident_memory_bytes: { type: 'gauge', help: 'Memory of the server process.' },
} as const satisfies Record<string, Description>

type MetricName = keyof typeof METRICS
export type GaugeName = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends 'gauge' ? Name : never
}[MetricName]

/** Returns lines without the metric's name. */
type ReadLines = () => string[] | Promise<string[]>

/** The metrics of `/metrics`. */
export class Metrics {
  readonly #requests = new Map<string, RouteCounts>()
  readonly #answers = new Map<FinishReason, number>()
  readonly #refusals = new Map<LimitName, number>()
  readonly #firstText = new Durations([0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30])
  readonly #lines = new Map<MetricName, ReadLines>([
    [
      'docent_http_requests_total',
      () => [...this.#requests].flatMap(([route, { counts }]) => linesOf(route, counts)),
    ],
    [
      'docent_http_request_duration_seconds',
      () => [...this.#requests].flatMap(([route, { durations }]) => durations.lines({ route })),
    ],
    ['docent_answer_first_text_seconds', () => this.#firstText.lines({})],
    [
      'docent_answers_total',
      () =>
        Array.from(this.#answers, ([reason, count]) =>
          lineOf('', { finish_reason: reason }, count),
        ),
    ],
    [
      'docent_refusals_total',
      () => Array.from(this.#refusals, ([limit, count]) => lineOf('', { limit }, count)),
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
  watch(name: GaugeName, read: () => number | Promise<number>): void {
    this.#lines.set(name, async () => [lineOf('', {}, await read())])
  }

  /** Returns all metrics in Prometheus's text format. */
  async describe(): Promise<string> {
    const all: string[] = []
    for (const [name, { help, type }] of Object.entries(METRICS)) {
      const read = this.#lines.get(name as MetricName)
      if (!read) continue
      all.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
      for (const line of await read()) all.push(name + line)
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
