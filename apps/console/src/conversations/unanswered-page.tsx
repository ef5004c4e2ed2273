import { fill } from '@docent/words/words.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { post } from '../api/client.ts'
import { unansweredQuery } from '../api/queries.ts'
import type { UnansweredQuestion } from '../api/records.ts'
import { formatWhen } from '../format.ts'
import { EmptyState } from '../forms/empty-state.tsx'
import { focusPage } from '../shell/focus-page.ts'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useToasts } from '../shell/toasts.tsx'
import { PairDialog } from '../sources/pair-dialog.tsx'
import { useSpeech, useWords } from '../words-context.tsx'

/** Questions without an answer. Answering a question creates a pair. */
export function UnansweredPage() {
  const { unanswered: words, common } = useWords()
  const { uuid } = useParams({ from: '/chatbots/$uuid/unanswered' })
  const unanswered = useQuery(unansweredQuery(uuid))
  const [answering, setAnswering] = useState<UnansweredQuestion>()
  const rows = useRef<HTMLUListElement>(null)
  const { tell } = useToasts()
  const settle = useSettling(uuid, true, (question) => goOnFrom(question))
  const putBack = useSettling(uuid, false)
  const [cameBack, setCameBack] = useState<string>()
  const dismiss = useSettling(uuid, true, (question) => {
    goOnFrom(question)
    const run = () => {
      setCameBack(question.uuids[0])
      putBack.mutate(question)
    }
    tell(words.dismissed, { label: common.undo, run })
  })

  /** The row disappears with the pressed button. Focus moves to the next row, or to the previous row at the end. */
  function goOnFrom({ uuids }: UnansweredQuestion): void {
    const list = unanswered.data ?? []
    const at = list.findIndex((question) => question.uuids[0] === uuids[0])
    const items = rows.current?.children
    const { activeElement } = document
    // Do not move the focus if the user has already moved it.
    if (activeElement !== document.body && !items?.[at]?.contains(activeElement)) return
    const next = items?.[at === list.length - 1 ? at - 1 : at + 1]
    const link = next?.querySelector('a')
    if (link) link.focus()
    else focusPage()
  }

  return (
    <div className="page">
      <PageHead title={words.title} lead={words.lead} />
      <Loaded query={unanswered}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="check" title={words.empty} hint={words.emptyHint} />
          ) : (
            <ul ref={rows} className="card list rows">
              {list.map((question) => (
                <QuestionRow
                  key={question.uuids[0]}
                  chatbot={uuid}
                  question={question}
                  isBack={cameBack !== undefined && question.uuids.includes(cameBack)}
                  onAnswer={() => setAnswering(question)}
                  onDismiss={() => dismiss.mutate(question)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {answering && (
        <PairDialog
          chatbot={uuid}
          question={answering.question}
          onAdded={() => {
            settle.mutate(answering)
            tell(words.added)
          }}
          onClose={() => setAnswering(undefined)}
        />
      )}
    </div>
  )
}

/** Takes a question off the list, or puts it back. */
function useSettling(
  chatbot: string,
  settled: boolean,
  onDone?: (question: UnansweredQuestion) => void,
) {
  const queries = useQueryClient()
  const { tellFailure } = useToasts()
  return useMutation({
    mutationFn: ({ uuids }: UnansweredQuestion) =>
      post('/messages/settle', { uuids: uuids.slice(0, 1_000), settled }),
    onSuccess: (_, question) => {
      onDone?.(question)
      return queries.invalidateQueries(unansweredQuery(chatbot))
    },
    onError: tellFailure,
  })
}

interface QuestionRowProps {
  chatbot: string
  question: UnansweredQuestion
  /** The user dismissed the question and put it back: its link gets the focus. */
  isBack: boolean
  onAnswer: () => void
  onDismiss: () => void
}

function QuestionRow({
  chatbot,
  question: { question, count, last_asked_at, session_uuid },
  isBack,
  onAnswer,
  onDismiss,
}: QuestionRowProps) {
  const { words: all, language } = useSpeech()
  const words = all.unanswered
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isBack) link.current?.focus()
  }, [isBack])
  return (
    <li className="source-row">
      <div className="source-main">
        <Link
          ref={link}
          to="/chatbots/$uuid/sessions/$session"
          params={{ uuid: chatbot, session: session_uuid }}
          className="source-title whole"
          dir="auto"
        >
          {question}
        </Link>
        <p className="source-facts">
          {count === 1 ? words.once : fill(words.times, { count })} ·{' '}
          {formatWhen(last_asked_at, language)}
        </p>
      </div>
      <button
        type="button"
        className="button small quiet"
        onClick={onDismiss}
        aria-label={`${words.dismiss}: ${question}`}
      >
        {words.dismiss}
      </button>
      <button
        type="button"
        className="button small primary"
        onClick={onAnswer}
        aria-label={`${words.answer}: ${question}`}
      >
        {words.answer}
      </button>
    </li>
  )
}
