import { useWords } from '../words-context.tsx'

interface MoreButtonProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

export function MoreButton({ query }: MoreButtonProps) {
  const words = useWords().common
  if (!query.hasNextPage) return null
  return (
    <button
      type="button"
      className="button self-start"
      // `disabled` would take the keyboard focus from the button.
      aria-disabled={query.isFetchingNextPage}
      onClick={() => {
        if (!query.isFetchingNextPage) void query.fetchNextPage()
      }}
    >
      {words.loadMore}
    </button>
  )
}
