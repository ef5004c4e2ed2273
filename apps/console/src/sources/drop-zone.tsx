import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { sourcesQuery } from '../api/queries.ts'
import { uploadQueueOf } from '../api/upload-queue.ts'
import { useWords } from '../words-context.tsx'
import { filesOf } from './dropped-files.ts'
import { UploadList } from './upload-list.tsx'

/** Accepts many files at once and shows their progress. Finished uploads are in the list of sources. */
export function DropZone({ chatbot }: { chatbot: string }) {
  const words = useWords().sources
  const [isOver, setIsOver] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const hint = useId()
  const queries = useQueryClient()
  const queue = uploadQueueOf(chatbot, () => {
    void queries.invalidateQueries(sourcesQuery(chatbot))
  })
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot)

  const offer = async (files: File[]) => {
    // Without the list, duplicates are unknown, so all files are added.
    const sources = await queries.ensureQueryData(sourcesQuery(chatbot)).catch(() => [])
    queue.offer(files, sources)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void filesOf(event.dataTransfer).then(offer)
  }

  return (
    <>
      <section
        className="drop-zone"
        data-over={isOver}
        aria-label={words.uploads}
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
            {words.drop}
          </button>
          <p id={hint} className="field-hint">
            {words.dropHint}
          </p>
        </div>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            void offer([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
      </section>
      {uploads.open.length + uploads.doubles.length > 0 && (
        <UploadList queue={queue} uploads={uploads} />
      )}
    </>
  )
}
