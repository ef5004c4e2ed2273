import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/** Tells "nothing here" from "not with this method", and names the methods there are. */
export function answerUnknownPaths(app: FastifyInstance): void {
  const methodsOf = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return
    const known = methodsOf.get(url) ?? { pattern: toPattern(url), methods: new Set() }
    for (const one of [method].flat()) known.methods.add(one)
    methodsOf.set(url, known)
  })
  // Whatever is sent to an address that is not there, the answer is that.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined)
  app.setNotFoundHandler((request) => {
    const path = request.url.replace(/[?#].*$/, '').replaceAll(/\/{2,}/g, '/')
    const known = [...methodsOf.values()].find(({ pattern }) => pattern.test(path))
    if (!known) throw new AppError('not_found', 'There is nothing at this address.')
    const allow = [...known.methods].sort().join(', ')
    throw new AppError('method_not_allowed', `Use ${allow} here.`, { headers: { allow } })
  })
}

function toPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`)
}
