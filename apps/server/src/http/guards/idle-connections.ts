import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export const MOST_IDLE_CONNECTIONS = 500

/** A new connection has this long to send its request before it counts. */
const TRIM_AFTER_MS = 50

const owners = new WeakMap<Socket, string>()

/** Assigns the connection to an owner. Before that, it belongs to its network address. */
export function assignConnection(socket: Socket, ownerId: string): void {
  owners.set(socket, ownerId)
}

/**
 * Connections without a request cost files and memory: silent ones, those with half a head, and those kept alive after
 * a response. Above the limit, the owner or address with the most idle connections loses the one that was idle longest.
 * A caller with few connections keeps them.
 */
export function boundIdleConnections(server: Server, most: number): void {
  const idle = new IdleConnections(most)
  /** Running requests for each connection. Pipelining allows several. */
  const requests = new WeakMap<Socket, number>()
  server.on('connection', (socket: Socket) => {
    idle.add(socket)
    socket.once('close', () => idle.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket)
    requests.set(socket, (requests.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = requests.get(socket)! - 1
      requests.set(socket, left)
      if (left === 0) idle.add(socket)
    })
  })
}

class IdleConnections {
  readonly #most: number
  /** Each group is in the order in which its connections became idle. */
  readonly #groups = new Map<string, Set<Socket>>()
  readonly #groupOf = new Map<Socket, string>()
  #timer: NodeJS.Timeout | undefined

  constructor(most: number) {
    this.#most = most
  }

  add(socket: Socket): void {
    if (socket.destroyed) return
    const name = owners.get(socket) ?? socket.remoteAddress ?? ''
    const group = this.#groups.get(name)
    if (group) group.add(socket)
    else this.#groups.set(name, new Set([socket]))
    this.#groupOf.set(socket, name)
    if (this.#groupOf.size > this.#most) {
      this.#timer ??= setTimeout(() => this.#trim(), TRIM_AFTER_MS).unref()
    }
  }

  delete(socket: Socket): void {
    const name = this.#groupOf.get(socket)
    if (name === undefined) return
    this.#groupOf.delete(socket)
    const group = this.#groups.get(name)!
    group.delete(socket)
    if (group.size === 0) this.#groups.delete(name)
  }

  #trim(): void {
    this.#timer = undefined
    while (this.#groupOf.size > this.#most) {
      const largest = [...this.#groups.values()].reduce((a, b) => (b.size > a.size ? b : a))
      const [longest] = largest
      this.delete(longest!)
      longest!.destroy()
    }
  }
}
