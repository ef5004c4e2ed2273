/** The dropped files, including files in nested folders. */
export async function filesOf(dropped: DataTransfer): Promise<File[]> {
  // The browser clears the items after the first `await`, so read them now.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.())
  const plain = [...dropped.files]
  const files = await Promise.all(
    entries.map((entry, index) =>
      entry ? filesIn(entry) : [plain[index]].filter((file) => file !== undefined),
    ),
  )
  return files.flat()
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith('.')) return []
  if (entry instanceof FileSystemFileEntry) {
    return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: File[] = []
  // `readEntries` returns at most 100 entries, and none at the end.
  while (true) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return found
    found.push(...(await Promise.all(some.map(filesIn))).flat())
  }
}
