import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChildServer, startChild } from '../child-server.ts'
import { Client } from '../harness.ts'

export interface NodeServers {
  nodes: ChildServer[]
  token: string
  /** A client of this node. */
  at(node: number): Client
  /** Starts a node in the place of one that has ended. */
  restart(node: number): Promise<void>
  end(): Promise<void>
}

/** Equal nodes on a single database, each in its own process with a slow model. */
export async function startNodes(count: number, settings: NodeJS.ProcessEnv): Promise<NodeServers> {
  const folders: string[] = []
  const start = () => {
    const folder = mkdtempSync(join(tmpdir(), 'docent-node-'))
    folders.push(folder)
    return startChild('apps/server/test/slow-server.ts', { DATA_DIR: folder, ...settings })
  }
  // Start all at once: when several nodes find an empty database, only one creates the token.
  const nodes = await Promise.all(Array.from({ length: count }, start))
  const token = nodes.map((node) => node.token).find((given) => given !== undefined)!
  return {
    nodes,
    token,
    at: (node) => new Client(nodes[node]!.address, token),
    async restart(node) {
      nodes[node] = await start()
    },
    async end() {
      await Promise.all(nodes.map((node) => node.end('SIGKILL')))
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}
