import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Starts a proxy whose connections can be cut, silenced and restored. */
export async function startCuttingProxy(
  t: { after: (end: () => unknown) => void },
  target: string,
) {
  const { port, hostname } = new URL(target)
  const open = new Set<Socket>()
  let isCut = false
  const proxy = createServer((socket) => {
    if (isCut) {
      socket.destroy()
      return
    }
    const onward = connect(Number(port), hostname)
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(from)
      from.pipe(to)
      from.on('error', () => {})
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    proxy.close()
    for (const socket of open) socket.destroy()
  })
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    /** Keeps open connections open, but forwards nothing. */
    silence() {
      for (const socket of open) socket.unpipe().resume()
    },
    mend() {
      isCut = false
    },
  }
}
