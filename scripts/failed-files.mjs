// A reporter for "node --test" that writes the files in which a test failed, a line each.

/** @param {AsyncIterable<{ type: string, data: { file?: string } }>} events */
// biome-ignore lint/style/noDefaultExport: node --test wants it
export default async function* failedFiles(events) {
  const told = new Set()
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || !data.file || told.has(data.file)) continue
    told.add(data.file)
    yield `${data.file}\n`
  }
}
