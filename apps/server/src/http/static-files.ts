import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { normalizeId } from '@docent/contract/field.ts'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, ifNotFound } from '../errors.ts'
import { getOpenChatbot } from '../features/visitors/visitors.store.ts'
import { getWidgetSettings } from '../features/widgets/widgets.store.ts'
import type { Services } from '../services.ts'
import { type BuiltFile, readBuiltPages } from './built-pages.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const CONSOLE = join(ROOT, 'apps/console/dist')
const WIDGET = join(ROOT, 'apps/widget/dist')
const GUIDE = join(ROOT, 'apps/guide/dist')
const MOVED_PAGES = join(GUIDE, 'moved-pages.json')

/** Paths of the console, which decides in the browser what to show there. */
const CONSOLE_PATHS = ['/', '/setup', '/sign-in', '/chatbots', '/chatbots/*', '/tokens', '/account']

/** Pages load nothing from other sites and contain no inline scripts or styles. */
function policy(frameAncestors: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')
}

/** Serves the console, the share page, the widget and the guide that "npm start" built. */
export function staticFiles({ db }: Services): FastifyPluginAsync {
  let files: ReadonlyMap<string, BuiltFile> = new Map()
  let movedPages: ReadonlyMap<string, string> = new Map()

  async function send(request: FastifyRequest, reply: FastifyReply, path: string, cache: string) {
    const file = files.get(path)
    if (!file) throw new AppError('not_found', 'This address does not exist.')
    reply
      .header('cache-control', cache)
      .header('etag', file.etag)
      .header('vary', 'accept-encoding')
      .header('referrer-policy', 'same-origin')
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
    reply.type(file.type)
    if (!request.headers['accept-encoding']?.includes('gzip')) return reply.send(file.content)
    file.zipped ??= promisify(gzip)(file.content, { level: 9 })
    return reply.header('content-encoding', 'gzip').send(await file.zipped)
  }

  const sendPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    frameAncestors: string,
  ) => {
    reply.header('content-security-policy', policy(frameAncestors))
    return send(request, reply, path, 'no-cache')
  }

  /** Serves the guide's pages, whose paths have no ending, and the few files beside them. */
  const sendGuide = (
    request: FastifyRequest<{ Params: { '*'?: string } }>,
    reply: FastifyReply,
  ) => {
    const name = request.params['*'] || 'index'
    if (/^(images\/[\w-]+\.(png|svg)|search\.json|theme\.js)$/.test(name)) {
      return send(request, reply, join(GUIDE, name), 'public, max-age=300')
    }
    const page = join(GUIDE, 'pages', `${name}.html`)
    const isThere = /^[\w-]+(\/[\w-]+)?$/.test(name) && files.has(page)
    const newAddress = isThere ? undefined : movedPages.get(`/guide/${name}`)
    if (newAddress) return reply.redirect(newAddress, 301)
    if (!isThere) reply.code(404)
    return sendPage(request, reply, isThere ? page : join(GUIDE, 'pages/missing.html'), "'none'")
  }

  return async (app) => {
    files = await readBuiltPages([CONSOLE, WIDGET, GUIDE])
    movedPages = new Map(Object.entries(JSON.parse(`${files.get(MOVED_PAGES)?.content ?? '{}'}`)))
    const hidden = { schema: { hide: true } }

    for (const path of CONSOLE_PATHS) {
      app.get(path, hidden, async (request, reply) => {
        // A server without built pages still shows its API.
        if (!files.has(join(CONSOLE, 'index.html'))) return reply.redirect('/docs')
        return sendPage(request, reply, join(CONSOLE, 'index.html'), "'none'")
      })
    }

    app.get<{ Params: { uuid: string } }>('/c/:uuid', hidden, async (request, reply) => {
      const uuid = normalizeId(request.params.uuid)
      const chatbot = await getOpenChatbot(db, uuid, 'share').catch(ifNotFound)
      if (!chatbot) reply.code(404)
      return sendPage(request, reply, join(WIDGET, 'visitor.html'), "'none'")
    })

    // The only page that other sites may frame: those that the chatbot's owner lists.
    app.get<{ Params: { uuid: string } }>('/widget/:uuid', hidden, async (request, reply) => {
      const uuid = normalizeId(request.params.uuid)
      const chatbot = await getOpenChatbot(db, uuid, 'widget').catch(ifNotFound)
      if (!chatbot) {
        reply.code(404)
        return sendPage(request, reply, join(WIDGET, 'visitor.html'), "'none'")
      }
      const { allowed_origins } = await getWidgetSettings(db, chatbot)
      // The star covers web pages only. Owners who try the widget out may open a page from disk.
      const others = allowed_origins.length === 0 ? '* file:' : allowed_origins.join(' ')
      return sendPage(request, reply, join(WIDGET, 'visitor.html'), `'self' ${others}`)
    })

    app.get('/widget.js', hidden, async (request, reply) => {
      reply.header('cross-origin-resource-policy', 'cross-origin')
      return send(request, reply, join(WIDGET, 'widget.js'), 'public, max-age=300')
    })

    app.get('/favicon.svg', hidden, (request, reply) =>
      send(request, reply, join(CONSOLE, 'favicon.svg'), 'public, max-age=86400'),
    )

    app.get<{ Params: { '*'?: string } }>('/guide', hidden, sendGuide)
    app.get<{ Params: { '*'?: string } }>('/guide/*', hidden, sendGuide)

    // Browsers get a page for an unknown address. Programs get an error.
    app.get('/*', hidden, async (request, reply) => {
      const isPerson =
        request.headers.accept?.includes('text/html') && !/^\/+(api|v1|mcp)\b/.test(request.url)
      const page = join(CONSOLE, 'index.html')
      if (!isPerson || !files.has(page)) return reply.callNotFound()
      return sendPage(request, reply.code(404), page, "'none'")
    })

    // File names change with their content.
    for (const [folder, dist] of [
      ['console', CONSOLE],
      ['chat', WIDGET],
      ['guide', GUIDE],
    ] as const) {
      app.get<{ Params: { name: string } }>(
        `/assets/${folder}/:name`,
        hidden,
        async (request, reply) => {
          const { name } = request.params
          if (!/^[\w.-]+$/.test(name)) {
            throw new AppError('not_found', 'This address does not exist.')
          }
          const path = join(dist, 'assets', folder, name)
          return send(request, reply, path, 'public, max-age=31536000, immutable')
        },
      )
    }
  }
}
