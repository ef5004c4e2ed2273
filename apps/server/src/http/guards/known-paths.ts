import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What is wrong with a path that leads nowhere, for paths whose errors have a form of their own. */
    whatIsWrongWith: (request: FastifyRequest) => AppError
  }
}

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
  const whatIsWrongWith = (request: FastifyRequest): AppError => {
    const path = request.url.replace(/[?#].*$/, '').replaceAll(/\/{2,}/g, '/')
    const known = [...methodsOf.values()].find(({ pattern }) => pattern.test(path))
    if (!known) return new AppError('not_found', 'There is nothing at this address.')
    const allow = [...known.methods].sort().join(', ')
    return new AppError('method_not_allowed', `Use ${allow} here.`, { headers: { allow } })
  }
  app.setNotFoundHandler((request) => {
    throw whatIsWrongWith(request)
  })
  app.decorate('whatIsWrongWith', whatIsWrongWith)
}

function toPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`)
}
