/** Whether it is copied. Over plain http browsers have no clipboard to write to: then by a selection, as of old. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.className = 'visually-hidden'
  field.value = text
  // What is outside of an open dialog cannot be selected.
  const place = before?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}
