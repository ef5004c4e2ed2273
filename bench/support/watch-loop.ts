import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const RESOLUTION_MS = 5

// Loaded into the measured server: reports the event loop's delay on request.
if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  // The histogram records the time between two checks.
  const late = (share: number) => Math.max(0, delay.percentile(share) / 1e6 - RESOLUTION_MS)
  delay.enable()
  process.on('message', () => {
    process.send!({ p50Ms: late(50), p99Ms: late(99) })
    delay.reset()
  })
  process.channel?.unref()
}
