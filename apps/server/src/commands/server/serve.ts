import { readConfig } from '../../config.ts'
import { withoutPassword } from '../../database/shown-address.ts'
import { DEFAULT_GRACE_MS, type RunningServer, startServer } from '../../main.ts'
import type { Invocation } from '../command.ts'
import { ENDING_SIGNALS, SAME_SIGNAL_MS } from '../terminal.ts'

/** Comes back when the server listens; the process then lives for as long as the server does. */
export async function serve({ environment, json, terminal }: Invocation): Promise<void> {
  // A line for each request would carry away what is printed here, where a person reads it.
  const LOG_LEVEL = environment.LOG_LEVEL ?? (terminal.canRedraw ? 'warn' : undefined)
  const config = readConfig({ ...environment, LOG_LEVEL })
  const server = await startServer(config)
  stopBySignal(server, json ? terminal.note : terminal.print)

  const { address, firstToken, needsAccount, services } = server
  // The address that people use, where it is known: the other one may lead nowhere from their machine.
  const site = config.publicUrls[0] ?? address
  const setup = `${site}/setup#${services.setupCode}`
  if (json) {
    terminal.print(
      JSON.stringify({
        url: address,
        console: needsAccount ? setup : `${site}/`,
        data_folder: config.dataDir,
        ...(config.databaseUrl && { database: withoutPassword(config.databaseUrl) }),
        ...(firstToken && { token: firstToken }),
      }),
    )
    return
  }
  const lines = [
    `Docent is ready at ${address}`,
    needsAccount
      ? `Console: ${setup} (the link is good until there is an account)`
      : `Console: ${site}/`,
    `Guide: ${site}/guide`,
    `API reference: ${site}/docs`,
    `Data folder: ${config.dataDir}`,
    ...(config.databaseUrl ? [`Database: ${withoutPassword(config.databaseUrl)}`] : []),
  ]
  if (firstToken) {
    lines.push(`Token: ${firstToken}`)
    lines.push('It is shown this once. "npx docent token create --name NAME" makes another.')
  }
  terminal.print(lines.join('\n'))
}

/** Comes to an end when it is asked to, and at once when it is asked a second time. */
export function stopBySignal(server: RunningServer, say: (text: string) => void): void {
  let stoppingSince: number | undefined
  const onSignal = () => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    const seconds = DEFAULT_GRACE_MS / 1000
    say(
      `Stopping: running answers have ${seconds} seconds to finish. Press Ctrl-C again to end now.`,
    )
    void server.stop().then(() => process.exit(0))
  }
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal)
  // A launcher that was killed hands no signal on, and its server would keep port and folder from the next one.
  const onLauncherGone = () => {
    if (stoppingSince === undefined) onSignal()
  }
  process.on('disconnect', onLauncherGone)
  process.channel?.unref()
  // It may have been killed meanwhile. Whoever was started otherwise was never connected.
  if (process.connected === false) onLauncherGone()
}
