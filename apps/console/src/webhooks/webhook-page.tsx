import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { fill } from '@docent/words/words.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { deliveriesQuery, webhooksQuery } from '../api/queries.ts'
import type { Delivery } from '../api/records.ts'
import { formatMoment, formatNumber, formatWhen } from '../format.ts'
import { Facts } from '../forms/facts.tsx'
import { MoreButton } from '../forms/more-button.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useSpeech, useWords } from '../words-context.tsx'
import { DeleteWebhook } from './delete-webhook.tsx'
import { SendTestButton } from './send-test-button.tsx'
import { eventTexts } from './webhook-events.ts'

const LOOK_AGAIN_MS = 5_000
const WHILE_TOLD_MS = 1_000

/** The log of a webhook: deliveries, responses and pending retries. */
export function WebhookPage() {
  const words = useWords().webhooks
  const { uuid, webhook: id } = useParams({ from: '/chatbots/$uuid/webhooks/$webhook' })
  const webhooks = useQuery(webhooksQuery(uuid))
  const deliveries = useInfiniteQuery({
    ...deliveriesQuery(id),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.some(isNew) ? WHILE_TOLD_MS : LOOK_AGAIN_MS,
  })
  const webhook = webhooks.data?.find((one) => one.uuid === id)
  if (webhooks.data && !webhook) return <NotFound />
  return (
    <div className="page">
      <Link to="/chatbots/$uuid/webhooks" params={{ uuid }} className="back">
        <Icon name="chevron" size={16} />
        {words.back}
      </Link>
      <Loaded query={webhooks}>
        {() => (
          <PageHead title={webhook!.url}>
            <SendTestButton webhook={id} />
            <DeleteWebhook chatbot={uuid} webhook={webhook!} />
          </PageHead>
        )}
      </Loaded>
      <section className="stack" aria-labelledby="deliveries">
        <div>
          <h2 id="deliveries">{words.log}</h2>
          <p className="text-ink-soft text-sm">{words.logLead}</p>
        </div>
        <Loaded query={deliveries}>
          {({ pages }) =>
            pages[0]!.length === 0 ? (
              <p className="text-ink-soft">{words.logEmpty}</p>
            ) : (
              <ul className="card list rows">
                {pages.flat().map((delivery) => (
                  <DeliveryRow key={delivery.uuid} delivery={delivery} />
                ))}
              </ul>
            )
          }
        </Loaded>
        <MoreButton query={deliveries} />
      </section>
    </div>
  )
}

/** The first try is running or about to start. */
function isNew({ status, attempts }: Delivery): boolean {
  return status === 'pending' && attempts <= 1
}

const BADGES: Record<Delivery['status'], string> = {
  delivered: 'badge good counts',
  pending: 'badge busy',
  failed: 'badge danger',
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { words, language } = useSpeech()
  const { event, status, attempts, response_status, error, next_attempt_at } = delivery
  const t = words.webhooks
  const facts = [
    formatMoment(delivery.created_at, language),
    response_status !== null && `HTTP ${response_status}`,
    attempts > 1 && fill(t.attempts, { count: formatNumber(attempts, language) }),
    status === 'pending' &&
      attempts > 0 &&
      next_attempt_at &&
      fill(t.nextTry, { when: formatWhen(next_attempt_at, language) }),
  ]
  return (
    <li className="source-row">
      <div className="source-main">
        <p className="source-title">{eventTexts(words)[event]}</p>
        <p className="source-facts">
          <Facts facts={facts} />
        </p>
        {error !== '' && (
          <p className="source-error" dir="auto">
            {error}
          </p>
        )}
      </div>
      <span className={BADGES[status]}>{t[status]}</span>
    </li>
  )
}
