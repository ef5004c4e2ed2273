import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the error for an unknown path, for APIs with their own error format. */
    errorForUnknownPath: (request: FastifyRequest) => AppError
  }
}

/** Tells an unknown path from an unsupported method, and names the supported methods. */
export function answerUnknownPaths(app: FastifyInstance): void {
  const methodsOf = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return
    const known = methodsOf.get(url) ?? { pattern: toPattern(url), methods: new Set() }
    for (const one of [method].flat()) known.methods.add(one)
    methodsOf.set(url, known)
  })
  // Accepts any body, so that an unknown path always gets the same response.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined)
  const errorForUnknownPath = (request: FastifyRequest): AppError => {
    const path = request.url.replace(/[?#].*$/, '').replaceAll(/\/{2,}/g, '/')
    const known = [...methodsOf.values()].find(({ pattern }) => pattern.test(path))
    if (!known) return new AppError('not_found', 'This address does not exist.')
    const allow = [...known.methods].sort().join(', ')
    return new AppError('method_not_allowed', `Use ${allow} for this address.`, {
      headers: { allow },
    })
  }
  app.setNotFoundHandler((request) => {
    throw errorForUnknownPath(request)
  })
  app.decorate('errorForUnknownPath', errorForUnknownPath)
}

function toPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`)
}
