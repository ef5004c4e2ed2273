import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { fill, isolated } from '@docent/words/words.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { tokensQuery } from '../api/queries.ts'
import type { Token } from '../api/records.ts'
import { formatWhen } from '../format.ts'
import { Confirm } from '../forms/confirm.tsx'
import { EmptyState } from '../forms/empty-state.tsx'
import { Facts } from '../forms/facts.tsx'
import { focusPage } from '../shell/focus-page.ts'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useSpeech, useWords } from '../words-context.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'

export function TokensPage() {
  const words = useWords()
  const tokens = useQuery(tokensQuery)
  const [isAdding, setIsAdding] = useState(false)
  const [revoking, setRevoking] = useState<Token>()
  const queries = useQueryClient()
  const finishDeletion = async () => {
    setRevoking(undefined)
    await queries.invalidateQueries(tokensQuery)
    focusPage()
  }
  return (
    <div className="page">
      <PageHead title={words.tokens.title} lead={words.tokens.lead}>
        <button type="button" className="button primary" onClick={() => setIsAdding(true)}>
          <Icon name="plus" size={16} />
          {words.tokens.new}
        </button>
      </PageHead>
      <Loaded query={tokens}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="key" title={words.tokens.empty} hint={words.tokens.emptyHint} />
          ) : (
            <ul className="card list rows">
              {list.map((token) => (
                <TokenRow key={token.uuid} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isAdding && <NewTokenDialog onClose={() => setIsAdding(false)} />}
      {revoking && (
        <Confirm
          title={words.tokens.revoke}
          question={fill(words.tokens.revokeAsk, { name: isolated(revoking.name) })}
          action={words.tokens.revoke}
          act={() => post(`/token/${revoking.uuid}/revoke`)}
          onDone={finishDeletion}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </div>
  )
}

function TokenRow({ token, onRevoke }: { token: Token; onRevoke: () => void }) {
  const { words: all, language } = useSpeech()
  const words = all.tokens
  const facts = [
    `${token.hint}…`,
    token.scopes.map((scope) => words[scope]).join(', '),
    token.last_used_at
      ? fill(words.used, { when: formatWhen(token.last_used_at, language) })
      : words.unused,
    token.expires_at && fill(words.ends, { when: formatWhen(token.expires_at, language) }),
  ]
  return (
    <li className="source-row">
      <span className="source-icon">
        <Icon name="key" />
      </span>
      <div className="source-main">
        <p className="source-title" dir="auto">
          {token.name}
        </p>
        <p className="source-facts">
          <Facts facts={facts} />
        </p>
      </div>
      <button
        type="button"
        className="button small danger"
        onClick={onRevoke}
        aria-label={`${words.revoke}: ${token.name}`}
      >
        {words.revoke}
      </button>
    </li>
  )
}
