import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { FinishReason } from './database/tables.ts'

interface Series {
  count: Counter.Internal
  duration: Histogram.Internal<'route'>
}

/** What `/metrics` tells, in Prometheus's format. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests = new Counter({
    name: 'docent_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  })
  readonly #duration = new Histogram({
    name: 'docent_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.registry],
  })
  readonly #firstText = new Histogram({
    name: 'docent_answer_first_text_seconds',
    help: 'Time from a question to the first text of its answer.',
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30],
    registers: [this.registry],
  })
  /** Looking a series up by its labels costs more than counting. */
  readonly #series = new Map<string, Map<string, Map<number, Series>>>()
  readonly #answers = new Counter({
    name: 'docent_answers_total',
    help: 'Answers ended, by finish reason.',
    labelNames: ['finish_reason'],
    registers: [this.registry],
  })

  requestFinished(method: string, route: string, status: number, seconds: number): void {
    const ofRoute = getOrMake(this.#series, route, () => new Map())
    const ofMethod = getOrMake(ofRoute, method, () => new Map())
    const series = getOrMake(ofMethod, status, () => ({
      count: this.#requests.labels({ method, route, status }),
      duration: this.#duration.labels({ route }),
    }))
    series.count.inc()
    series.duration.observe(seconds)
  }

  answerFinished(reason: FinishReason, firstTextMs: number | undefined): void {
    this.#answers.inc({ finish_reason: reason })
    if (firstTextMs !== undefined) this.#firstText.observe(firstTextMs / 1000)
  }

  /** A value that is looked up when it is asked for. */
  watch(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await read())
      },
    })
  }
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
