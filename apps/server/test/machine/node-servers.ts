import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChildServer, startChild } from '../child-server.ts'
import { Client } from '../harness.ts'

export interface NodeServers {
  nodes: ChildServer[]
  token: string
  /** A client of one of them. */
  at(node: number): Client
  /** Starts one more, in the place of one that has ended. */
  restart(node: number): Promise<void>
  end(): Promise<void>
}

/** Equal nodes on one database, each a process of its own with a model that takes its time. */
export async function startNodes(count: number, settings: NodeJS.ProcessEnv): Promise<NodeServers> {
  const folders: string[] = []
  const start = () => {
    const folder = mkdtempSync(join(tmpdir(), 'docent-node-'))
    folders.push(folder)
    return startChild('apps/server/test/slow-server.ts', { DATA_DIR: folder, ...settings })
  }
  // At once: of several that find an empty database, one makes the token.
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
