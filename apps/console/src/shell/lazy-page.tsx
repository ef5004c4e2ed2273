import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { get } from '../api/client.ts'
import { Loaded } from './loaded.tsx'

/**
 * A page that is fetched when it is first opened. The router alone would load the whole document again when that fails, and a
 * server that is away would leave nothing of the console.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
) {
  const Page = lazyRouteComponent(async (): Promise<{ default: () => ReactNode }> => {
    const pages = await load()
    return { default: pages[name] }
  })
  // The router takes it away once the page is there; until then it tells of no failure.
  const isMissing = () => Page.preload !== undefined

  function LazyPage() {
    const fetched = useQuery({
      queryKey: ['page', name],
      queryFn: async () => {
        await Page.preload?.()
        // With a server that answers, the page is missing because of an upgrade: then the document is to be loaded again.
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
