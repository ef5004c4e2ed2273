import { readConfig } from '../../config.ts'
import { withoutPassword } from '../../database/redact-password.ts'
import { DEFAULT_GRACE_MS, type RunningServer, startServer } from '../../main.ts'
import type { Invocation } from '../command.ts'
import { ENDING_SIGNALS, SAME_SIGNAL_MS } from '../terminal.ts'

/** Resolves when the server listens. The process then lives as long as the server. */
export async function serve({ environment, json, terminal }: Invocation): Promise<void> {
  // A log line for each request would scroll away the text that a user reads here.
  const LOG_LEVEL = environment.LOG_LEVEL ?? (terminal.canRedraw ? 'warn' : undefined)
  const config = readConfig({ ...environment, LOG_LEVEL })
  const server = await startServer(config)
  stopBySignal(server, json ? terminal.note : terminal.print)

  const { address, firstToken, needsAccount, services } = server
  // Prefers the public address, because the other one may lead nowhere from a user's machine.
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
      ? `Console: ${setup} (this link works until an account exists)`
      : `Console: ${site}/`,
    `Guide: ${site}/guide`,
    `API reference: ${site}/docs`,
    `Data folder: ${config.dataDir}`,
    ...(config.databaseUrl ? [`Database: ${withoutPassword(config.databaseUrl)}`] : []),
  ]
  if (firstToken) {
    lines.push(`Token: ${firstToken}`)
    lines.push(
      'It is shown only once. Run "npx docent token create --name NAME" to create another.',
    )
  }
  terminal.print(lines.join('\n'))
}

/** Stops the server on the first signal. Exits at once on the second. */
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
      `Stopping. Running answers have ${seconds} seconds to finish. Press Ctrl-C again to stop now.`,
    )
    void server.stop().then(() => process.exit(0))
  }
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal)
  // A killed launcher passes on no signal. Its server would keep the port and the folder from the next server.
  const onLauncherGone = () => {
    if (stoppingSince === undefined) onSignal()
  }
  process.on('disconnect', onLauncherGone)
  process.channel?.unref()
  // The launcher may be gone already. Without a launcher, `connected` is undefined.
  if (process.connected === false) onLauncherGone()
}
