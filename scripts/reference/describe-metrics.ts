import { METRICS } from '@docent/server/src/metrics.ts'
import { fillTemplate, table } from './fill-template.ts'

export function describeMetrics(): string {
  const rows = Object.entries(METRICS).map(([name, metric]) => [
    `\`${name}\``,
    metric.type,
    'labels' in metric ? metric.labels.map((label) => `\`${label}\``).join(', ') : '',
    metric.help,
  ])
  return fillTemplate('metrics.md', { metrics: table(['Name', 'Type', 'Labels', 'Meaning'], rows) })
}
