import { useWords } from '../words-context.tsx'

interface MoreButtonProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** Below a list of which there is more. */
export function MoreButton({ query }: MoreButtonProps) {
  const words = useWords().common
  if (!query.hasNextPage) return null
  return (
    <button
      type="button"
      className="button self-start"
      // Not disabled, which would take the keyboard away from whoever goes on to the next ones.
      aria-disabled={query.isFetchingNextPage}
      onClick={() => {
        if (!query.isFetchingNextPage) void query.fetchNextPage()
      }}
    >
      {words.loadMore}
    </button>
  )
}
