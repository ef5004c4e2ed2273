import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

/**
 * Node's permission model does not cover the network yet. Every connection of its libraries (http, https, http2, tls,
 * fetch, WebSocket) is a socket of `net`, so refusing it there refuses it everywhere.
 */
export function forbidNetwork(): void {
  replaceMethods(net.Socket.prototype, ['connect'])
  replaceMethods(net.Server.prototype, ['listen'])
  replaceMethods(dgram.Socket.prototype, ['bind', 'connect', 'send'])
  for (const resolver of [
    dns,
    dns.promises,
    dns.Resolver.prototype,
    dns.promises.Resolver.prototype,
  ]) {
    const names = Object.getOwnPropertyNames(resolver)
    const lookups = names.filter((name) => /^(lookup|resolve|reverse)/.test(name))
    replaceMethods(resolver, lookups)
  }
  for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name)
  // Named ES module imports of these functions must fail, too.
  syncBuiltinESMExports()
}

function replaceMethods(target: object, names: string[]): void {
  for (const name of names) {
    Object.defineProperty(target, name, { value: refuse, writable: false, configurable: false })
  }
}

function refuse(): never {
  throw new Error('There is no network where documents are read')
}
