import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export const MOST_IDLE_CONNECTIONS = 500

/**
 * Connections without a request cost files and memory: those that send nothing or half a head, and those that are kept
 * open after an answer. Beyond so many the one that has been idle for longest is closed, so that a caller who sends a
 * request is always served.
 */
export function boundIdleConnections(server: Server, most: number): void {
  // In the order in which they became idle.
  const idle = new Set<Socket>()
  /** Requests under way; several on a connection that sends them ahead. */
  const requests = new WeakMap<Socket, number>()
  const add = (socket: Socket) => {
    if (socket.destroyed) return
    idle.add(socket)
    if (idle.size <= most) return
    const [longest] = idle
    idle.delete(longest!)
    longest!.destroy()
  }
  server.on('connection', (socket: Socket) => {
    add(socket)
    socket.once('close', () => idle.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket)
    requests.set(socket, (requests.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = requests.get(socket)! - 1
      requests.set(socket, left)
      if (left === 0) add(socket)
    })
  })
}
