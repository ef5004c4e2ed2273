import type { Services } from '../services.ts'
import { followPage } from './follow-page.ts'
import { readPage } from './read-page.ts'
import { readRobotsIfAny } from './read-robots.ts'

/** The one page that somebody asked for by its address. */
export async function readLink(services: Services, url: string) {
  const { config, stopping } = services
  const options = { allowPrivateHosts: config.allowPrivateHosts, signal: stopping, startedAt: url }
  const { page, found } = await followPage(
    url,
    { ...options, readRobots: readRobotsIfAny },
    (page, robots) => readPage(services, page, { ...options, robots }),
  )
  const { leads: _leads, isRendered: _isRendered, title, ...content } = found
  return {
    title: title === '' ? url : title,
    ...content,
    fileSize: page.bytes.length,
    meta: { url, final_url: page.url, fetched_at: new Date().toISOString().replace(/\.\d+/, '') },
  }
}
