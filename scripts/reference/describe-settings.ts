import { SETTING_GROUPS, type Setting } from '@docent/server/src/runtime/settings.ts'
import { fillTemplate, table } from './fill-template.ts'

export function describeSettings(): string {
  const sections = SETTING_GROUPS.map(({ title, settings }) => {
    const rows = Object.entries(settings).map(([name, setting]) => [
      `\`${name}\``,
      defaultOf(setting),
      setting.summary,
    ])
    return `### ${title}\n\n${table(['Setting', 'Default', 'Meaning'], rows)}`
  })
  return fillTemplate('settings.md', { settings: sections.join('\n\n') })
}

export function writeEnvExample(): string {
  const groups = SETTING_GROUPS.map(({ title, settings }) => {
    const lines = Object.entries(settings).map(
      ([name, { summary, example }]) => `# ${firstSentence(summary)}\n#${name}=${example}\n`,
    )
    return `# ${title}\n# ${'-'.repeat(title.length)}\n\n${lines.join('\n')}`
  })
  return `# Copy this file to .env and change what you need. Every setting is optional.
# docs/reference/settings.md describes all of them. "npm run generate" writes this file.

${groups.join('\n')}`
}

function defaultOf({ default: value, otherwise }: Setting): string {
  if (otherwise !== undefined) return otherwise
  return value === undefined ? 'none' : `\`${value}\``
}

/** A comment needs no code marks and no targets of links. */
function firstSentence(summary: string): string {
  const plain = summary.replaceAll('`', '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  return plain.split(/(?<=\.) (?=[A-Z0-9])/)[0]!
}
