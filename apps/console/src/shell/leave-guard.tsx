import { useBlocker } from '@tanstack/react-router'
import { Confirm } from '../forms/confirm.tsx'
import { useWords } from '../words-context.tsx'

/** Asks before leaving a page with unsaved changes. The browser asks when the tab is closed. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const words = useWords().common
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Confirm
      title={words.leave}
      question={words.leaveAsk}
      action={words.leaveNow}
      canBeUndone
      act={blocker.proceed}
      onClose={blocker.reset}
    />
  )
}
