import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface RandomCuts {
  address: string
  connections: number
  /** Connections that were cut before the first byte of the response, and after it. */
  cut: { beforeTheAnswer: number; inTheAnswer: number }
  /** Connections that went silent instead, as when a network disappears. */
  silenced: number
}

// Every connection breaks: one of twelve goes silent, the others are cut.
const SILENCE = 1 / 12
// Slightly more bytes than a question, and than an answer.
const UP_BYTES = 1_000
const DOWN_BYTES = 2_400

/**
 * Starts a proxy whose connections break at random bytes, in either direction. `wordiness` moves the breaks back for
 * clients that send that many times as much.
 */
export async function startRandomCuts(
  t: { after: (end: () => unknown) => void },
  target: string,
  random: () => number,
  wordiness = 1,
): Promise<RandomCuts> {
  const { port, hostname } = new URL(target)
  const cuts: RandomCuts = {
    address: '',
    connections: 0,
    cut: { beforeTheAnswer: 0, inTheAnswer: 0 },
    silenced: 0,
  }
  const open = new Set<Socket>()
  const proxy = createServer((near) => {
    cuts.connections += 1
    const far = connect(Number(port), hostname)
    const goesSilent = random() < SILENCE
    const upwards = random() < 0.3
    const at = Math.floor(random() * (upwards ? UP_BYTES : DOWN_BYTES) * wordiness)
    let isOver = false
    let answered = 0
    const end = () => {
      near.destroy()
      far.destroy()
    }
    const pass = (from: Socket, to: Socket, isLimited: boolean) => {
      open.add(from)
      let passed = 0
      from.on('data', (chunk: Buffer) => {
        if (isOver) return
        const isPast = isLimited && passed + chunk.length > at
        const piece = isPast ? chunk.subarray(0, at - passed) : chunk
        passed += piece.length
        if (from === far) answered += piece.length
        if (!isPast) {
          to.write(piece)
          return
        }
        isOver = true
        if (!goesSilent) {
          cuts.cut[answered === 0 ? 'beforeTheAnswer' : 'inTheAnswer'] += 1
          // Flush the passed bytes before breaking the connection.
          to.write(piece, end)
        } else {
          cuts.silenced += 1
          to.write(piece)
        }
      })
      from.on('error', () => {})
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
    pass(near, far, upwards)
    pass(far, near, !upwards)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    proxy.close()
    for (const socket of open) socket.destroy()
  })
  cuts.address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return cuts
}
