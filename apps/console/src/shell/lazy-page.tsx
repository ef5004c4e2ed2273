import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { get } from '../api/client.ts'
import { Loaded } from './loaded.tsx'

/**
 * A page that loads when it is first opened. If loading fails, the router alone would reload the whole document. With a
 * server that is down, the browser's error page would then replace the console.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
) {
  const Page = lazyRouteComponent(async (): Promise<{ default: () => ReactNode }> => {
    const pages = await load()
    return { default: pages[name] }
  })
  // The router removes `preload` once the page has loaded, and reports no failure before that.
  const isMissing = () => Page.preload !== undefined

  function LazyPage() {
    const fetched = useQuery({
      queryKey: ['page', name],
      queryFn: async () => {
        await Page.preload?.()
        // If the server responds, an upgrade has removed the page. Then the document must be reloaded.
        if (isMissing()) await get('/auth/state')
        return true
      },
      enabled: isMissing,
    })
    if (!isMissing()) return <Page />
    return (
      <div className="page">
        <h1 className="visually-hidden">Docent</h1>
        <Loaded query={fetched}>{() => <Page />}</Loaded>
      </div>
    )
  }
  LazyPage.preload = async () => Page.preload?.()
  return LazyPage
}
