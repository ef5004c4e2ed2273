/** A database's address as it may be shown. */
export function withoutPassword(url: string): string {
  const shown = new URL(url)
  shown.password = ''
  return shown.href
}
