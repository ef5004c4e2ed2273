import { Icon } from '@docent/widget/chat/icons.tsx'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useId, useRef, useState } from 'react'
import { upload } from '../api/client.ts'
import { sourcesQuery } from '../api/queries.ts'
import { reasonOf } from './toasts.tsx'

/** More at a time would only make each of them slower. */
const AT_A_TIME = 3

interface Upload {
  id: number
  file: File
  /** From 0 to 1. */
  share: number
  error: string | undefined
}

let lastId = 0

/** Takes many files at once and shows how each of them gets on. Those that have arrived are in the list of sources. */
export function DropZone({ chatbot }: { chatbot: string }) {
  const words = useWords()
  const [uploads, setUploads] = useState<Upload[]>([])
  const [isOver, setIsOver] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const hint = useId()
  const queries = useQueryClient()

  const edit = (id: number, change: Partial<Upload>) =>
    setUploads((before) => before.map((one) => (one.id === id ? { ...one, ...change } : one)))
  const remove = (id: number) => setUploads((before) => before.filter((one) => one.id !== id))

  async function send({ id, file }: Upload): Promise<void> {
    try {
      await upload(`/chatbot/${chatbot}/data-source/upload`, file, (share) => edit(id, { share }))
      remove(id)
      void queries.invalidateQueries(sourcesQuery(chatbot))
    } catch (error) {
      edit(id, { error: reasonOf(error, words.common.offline) })
    }
  }

  async function sendAll(files: File[]): Promise<void> {
    const added = files.map((file) => {
      lastId += 1
      return { id: lastId, file, share: 0, error: undefined }
    })
    setUploads((before) => [...before, ...added])
    const queue = added.values()
    await Promise.all(
      Array.from({ length: AT_A_TIME }, async () => {
        for (const one of queue) await send(one)
      }),
    )
  }

  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void sendAll([...event.dataTransfer.files])
  }

  return (
    <>
      <section
        className="drop-zone"
        data-over={isOver}
        aria-label={words.sources.uploads}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
      >
        <span className="empty-icon">
          <Icon name="upload" size={22} />
        </span>
        <div>
          <button
            type="button"
            className="link-button"
            aria-describedby={hint}
            onClick={() => picker.current?.click()}
          >
            {words.sources.drop}
          </button>
          <p id={hint} className="field-hint">
            {words.sources.dropHint}
          </p>
        </div>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            void sendAll([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
      </section>
      {uploads.length > 0 && (
        <ul className="uploads">
          {uploads.map((one) => (
            <UploadRow
              key={one.id}
              upload={one}
              onRetry={() => {
                edit(one.id, { share: 0, error: undefined })
                void send(one)
              }}
              onDismiss={() => remove(one.id)}
            />
          ))}
        </ul>
      )}
    </>
  )
}

interface UploadRowProps {
  upload: Upload
  onRetry: () => void
  onDismiss: () => void
}

function UploadRow({ upload: { file, share, error }, onRetry, onDismiss }: UploadRowProps) {
  const words = useWords()
  return (
    <li className="upload">
      <span className="upload-name" dir="auto">
        {file.name}
      </span>
      {error ? (
        <>
          <span className="upload-error" role="alert">
            {error}
          </span>
          <button type="button" className="button small" onClick={onRetry}>
            {words.common.retry}
          </button>
          <button
            type="button"
            className="icon-button"
            onClick={onDismiss}
            aria-label={words.common.close}
          >
            <Icon name="close" size={16} />
          </button>
        </>
      ) : (
        <progress value={share} max={1} aria-label={`${words.sources.uploading}: ${file.name}`} />
      )}
    </li>
  )
}
