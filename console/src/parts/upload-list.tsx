import { Icon } from '@docent/widget/chat/icons.tsx'
import { useSpeech, useWords } from '@docent/widget/chat/words-context.tsx'
import { fill } from '../../../languages/words.ts'
import type { Upload, UploadQueue, Uploads } from '../api/upload-queue.ts'
import { formatPercent } from '../format.ts'

export function UploadList({ queue, uploads }: { queue: UploadQueue; uploads: Uploads }) {
  const words = useWords().sources
  const { open, done } = uploads
  return (
    <div>
      {open.length + done > 1 && (
        <p className="field-hint uploads-count" role="status">
          {fill(words.uploaded, { done, total: open.length + done })}
        </p>
      )}
      <ul className="uploads">
        {open.map((one) => (
          <UploadRow
            key={one.id}
            upload={one}
            onRetry={() => queue.retry(one.id)}
            onRemove={() => queue.remove(one.id)}
          />
        ))}
      </ul>
    </div>
  )
}

interface UploadRowProps {
  upload: Upload
  onRetry: () => void
  onRemove: () => void
}

function UploadRow({ upload: { file, share, error }, onRetry, onRemove }: UploadRowProps) {
  const { words, language } = useSpeech()
  const remove = error === undefined ? words.common.cancel : words.common.close
  return (
    <li className="upload">
      <span className="upload-name" dir="auto">
        {file.name}
      </span>
      {error === undefined ? (
        <>
          <progress
            value={share ?? 0}
            max={1}
            aria-label={`${words.sources.uploading}: ${file.name}`}
          />
          <span className="upload-share">
            {share === undefined ? words.sources.waiting : formatPercent(share, language)}
          </span>
        </>
      ) : (
        <>
          <span className="upload-error" role="alert">
            {error || words.common.offline}
          </span>
          <button type="button" className="button small" onClick={onRetry}>
            {words.common.retry}
          </button>
        </>
      )}
      <button
        type="button"
        className="icon-button"
        onClick={onRemove}
        aria-label={`${remove}: ${file.name}`}
        title={remove}
      >
        <Icon name="close" size={16} />
      </button>
    </li>
  )
}
