/** What was dropped, with the files in folders, however deep. */
export async function filesOf(dropped: DataTransfer): Promise<File[]> {
  // They are gone after the first wait: what is needed is taken at once.
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
  // A browser tells a hundred at a time, and none at the end.
  while (true) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return found
    found.push(...(await Promise.all(some.map(filesIn))).flat())
  }
}
