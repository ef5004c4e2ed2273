import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { fill } from '@docent/words/words.ts'
import {
  isPermanentError,
  type Upload,
  type UploadQueue,
  type Uploads,
} from '../api/upload-queue.ts'
import { formatPercent } from '../format.ts'
import { reasonOf } from '../shell/explain-error.ts'
import { useSpeech, useWords } from '../words-context.tsx'

export function UploadList({ queue, uploads }: { queue: UploadQueue; uploads: Uploads }) {
  const words = useWords().sources
  const { open, done, doubles } = uploads
  return (
    <div>
      {open.length + done > 1 && (
        <p className="field-hint uploads-count" role="status">
          {fill(words.uploaded, { done, total: open.length + done })}
        </p>
      )}
      <ul className="uploads">
        {doubles.length > 0 && (
          <DoublesRow
            files={doubles}
            onAdd={() => queue.addDoubles()}
            onDrop={() => queue.dropDoubles()}
          />
        )}
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

const NAMES_SHOWN = 5

interface DoublesRowProps {
  files: readonly File[]
  onAdd: () => void
  onDrop: () => void
}

/** All duplicates share a row, because the user may drop a whole folder twice. */
function DoublesRow({ files, onAdd, onDrop }: DoublesRowProps) {
  const words = useWords()
  const names = files.slice(0, NAMES_SHOWN).map(({ name }) => name)
  const rest = files.length - names.length
  return (
    <li className="upload">
      <span className="upload-name" dir="auto">
        {names.join(', ')}
        {rest > 0 && ` … (+${rest})`}
      </span>
      <span className="upload-note" role="alert">
        {words.sources.alreadyUploaded}
      </span>
      <button type="button" className="button small" onClick={onAdd}>
        {words.sources.uploadAnyway}
      </button>
      <CloseButton
        text={words.common.close}
        label={words.sources.alreadyUploaded}
        onClick={onDrop}
      />
    </li>
  )
}

interface UploadRowProps {
  upload: Upload
  onRetry: () => void
  onRemove: () => void
}

function UploadRow({ upload: { file, share, error }, onRetry, onRemove }: UploadRowProps) {
  const speech = useSpeech()
  const { words, language } = speech
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
          <span className="upload-note failed" role="alert" dir="auto">
            {reasonOf(error, speech)}
          </span>
          {!isPermanentError(error) && (
            <button type="button" className="button small" onClick={onRetry}>
              {words.common.retry}
            </button>
          )}
        </>
      )}
      <CloseButton text={remove} label={file.name} onClick={onRemove} />
    </li>
  )
}

interface CloseButtonProps {
  text: string
  /** Tells screen readers which file the button belongs to. */
  label: string
  onClick: () => void
}

function CloseButton({ text, label, onClick }: CloseButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      onClick={onClick}
      aria-label={`${text}: ${label}`}
      title={text}
    >
      <Icon name="close" size={16} />
    </button>
  )
}
