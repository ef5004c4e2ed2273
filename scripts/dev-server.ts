import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createListener } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  build,
  type Connect,
  createServer,
  type InlineConfig,
  mergeConfig,
  type Rolldown,
  type ViteDevServer,
} from 'vite'
import { devServer, ROOT, VISITOR_PAGE, widgetScript } from './vite-config.ts'

// "npm run dev" runs this. Vite serves the console, the visitor page and the widget from their sources, and proxies the
// rest to the server, which restarts when its files change. Browsers see one origin, so the sign-in cookie works.

// biome-ignore lint/style/noProcessEnv: the server gets the environment as it is
const environment = process.env
const port = Number(environment.PORT ?? 3000)
const host = environment.HOST ?? '127.0.0.1'
const site = `http://${host === '127.0.0.1' ? 'localhost' : host}:${port}`

const OF_SERVER =
  /^\/(api|v1|mcp|docs|guide|assets\/guide|openapi\.json|healthz|readyz|metrics)(?=[/?]|$)/
const OF_VISITORS = /^\/(c|widget)\/[^/]+$/
const RESTARTS = /\/(apps\/server|packages\/\w+)\/(src\/|package\.json$)|\/docs\/openapi\.json$/
const OF_GUIDE = /\/(docs\/.*\.(md|png|svg)|apps\/guide\/(src|render|public)\/.*)$/

/** Several files are often saved at once. */
const SETTLE_MS = 150
/** How long running answers may delay a restart. The second signal ends the server at once. */
const PATIENCE_MS = 2_000

const serverPort = await findFreePort()
let server: ChildProcess | undefined
let isListening = Promise.resolve(false)
let isRestarting = false
let isEnding = false

const vite = await createServer(
  mergeConfig(devServer, {
    plugins: [
      { name: 'docent', configureServer: (vite) => void vite.middlewares.use(answer(vite)) },
    ],
    server: {
      port,
      host,
      proxy: {
        // The server compares Host with Origin, so the proxy keeps both.
        [OF_SERVER.source]: { target: `http://127.0.0.1:${serverPort}`, changeOrigin: false },
      },
    },
  } satisfies InlineConfig),
)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal))
// A launcher that was killed forwards no signal.
process.on('disconnect', () => end('SIGTERM'))
process.channel?.unref()

await vite.listen().catch(({ message }: Error) => {
  process.stderr.write(`${message}. PORT names another one.\n`)
  process.exit(1)
})
startServer()
watch()

function startServer(): void {
  const startedAt = performance.now()
  const child = spawn(
    process.execPath,
    [...process.execArgv, join(ROOT, 'apps/server/src/cli.ts'), 'serve', '--json'],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: {
        LOG_LEVEL: 'warn',
        DATA_DIR: './data/dev',
        PUBLIC_URL: site,
        ...environment,
        HOST: '127.0.0.1',
        PORT: String(serverPort),
      },
    },
  )
  server = child
  const lines = createInterface({ input: child.stdout! })
  isListening = Promise.race([
    once(lines, 'line').then(([line]) => {
      announce(JSON.parse(line), performance.now() - startedAt)
      return true
    }),
    once(child, 'exit').then(() => false),
  ])
  child.once('exit', (code) => {
    server = undefined
    if (isRestarting) return
    if (isEnding) void close()
    else {
      if (code !== 0) showStack()
      say(`The server ended with ${code ?? 'a signal'}. It restarts when a file changes.`)
    }
  })
}

/** Prints file and line, which the command line leaves out. Importing the server starts nothing. */
function showStack(): void {
  const importing = `await import(${JSON.stringify(join(ROOT, 'apps/server/src/main.ts'))})`
  spawnSync(process.execPath, [...process.execArgv, '--input-type=module', '-e', importing], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

interface Started {
  console: string
  data_folder: string
  token?: string
}

let isFirst = true

function announce({ console, data_folder, token }: Started, took: number): void {
  if (isFirst || console.includes('/setup#')) {
    // The setup code changes with every start.
    say(`Docent runs at ${console}`)
    if (isFirst) say(`Data folder: ${data_folder}. Press Ctrl-C to stop.`)
    if (token) say(`Token: ${token}`)
  } else say(`The server restarted in ${Math.round(took)} ms.`)
  isFirst = false
}

function watch(): void {
  const folders = ['apps/server', 'apps/guide', 'packages', 'docs']
  vite.watcher.add(folders.map((folder) => join(ROOT, folder)))
  let isGuideStale = false
  let timer: NodeJS.Timeout | undefined
  let restarting = Promise.resolve()
  vite.watcher.on('all', (_event, path) => {
    const isOfGuide = OF_GUIDE.test(path)
    if (!isOfGuide && !RESTARTS.test(path)) return
    isGuideStale ||= isOfGuide
    clearTimeout(timer)
    timer = setTimeout(() => {
      restarting = restarting.then(() => restart(isGuideStale))
      isGuideStale = false
    }, SETTLE_MS)
  })
}

async function restart(isGuideStale: boolean): Promise<void> {
  if (isEnding) return
  isRestarting = true
  // Requests wait for the next server to listen.
  const next = Promise.withResolvers<boolean>()
  isListening = next.promise
  const old = server
  if (old) {
    const gone = once(old, 'exit')
    old.kill('SIGTERM')
    const timer = setTimeout(() => old.kill('SIGTERM'), PATIENCE_MS)
    await gone
    clearTimeout(timer)
  }
  isRestarting = false
  if (isEnding) return close()
  if (isGuideStale) {
    const script = join(ROOT, 'scripts/build-pages.ts')
    spawnSync(process.execPath, [...process.execArgv, script, 'guide'], { stdio: 'inherit' })
  }
  startServer()
  next.resolve(isListening)
}

/** Answers requests for the visitor page and the widget, and holds requests to the server while it restarts. */
function answer(vite: ViteDevServer): Connect.NextHandleFunction {
  return async (request, response, next) => {
    const path = (request.url ?? '/').replace(/[?#].*$/, '')
    try {
      if (OF_SERVER.test(path)) {
        if (await isListening) return next()
        response.writeHead(503, { 'content-type': 'text/plain' })
        return response.end('The server is not running. The terminal says why.\n')
      }
      if (path === '/widget.js') {
        response.setHeader('content-type', 'text/javascript')
        response.setHeader('cross-origin-resource-policy', 'cross-origin')
        return response.end(await buildWidgetScript())
      }
      if (!OF_VISITORS.test(path)) return next()
      const html = readFileSync(VISITOR_PAGE, 'utf8').replace(
        '/src/visitor-page.tsx',
        `/@fs${join(VISITOR_PAGE, '../src/visitor-page.tsx')}`,
      )
      response.setHeader('content-type', 'text/html')
      return response.end(await vite.transformIndexHtml(request.url ?? '/', html))
    } catch (error) {
      return next(error)
    }
  }
}

async function buildWidgetScript(): Promise<string> {
  const built = await build({ ...widgetScript, build: { ...widgetScript.build, write: false } })
  return (built as Rolldown.RolldownOutput[])[0]!.output[0].code
}

/** Runs twice if Ctrl-C reaches the launcher, too. The server counts signals within 500 ms as one. */
function end(signal: NodeJS.Signals): void {
  isEnding = true
  if (server) server.kill(signal)
  else void close()
}

async function close(): Promise<void> {
  await vite.close()
  process.exit(0)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function findFreePort(): Promise<number> {
  const listener = createListener().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  return typeof address === 'object' && address ? address.port : 0
}
