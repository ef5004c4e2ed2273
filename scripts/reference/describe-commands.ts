import type { Command } from '@docent/server/src/commands/command.ts'
import { COMMAND_GROUPS } from '@docent/server/src/commands/command-table.ts'
import { EXIT, EXIT_MEANINGS } from '@docent/server/src/commands/exit-codes.ts'
import { fillTemplate, table, upperFirst } from './fill-template.ts'

export function describeCommands(): string {
  const groups = COMMAND_GROUPS.map(({ title, commands }) => {
    const heading = title.replace(/ \*$/, '')
    return `## ${heading}\n\n${commands.map(describe).join('\n\n')}`
  })
  const codes = Object.entries(EXIT).map(([name, code]) => [
    String(code),
    EXIT_MEANINGS[name as keyof typeof EXIT],
  ])
  return fillTemplate('commands.md', {
    commands: groups.join('\n\n'),
    'exit-codes': table(['Code', 'Meaning'], codes),
  })
}

function describe({ name, usage, summary, options, examples }: Command): string {
  const call = ['docent', name, usage].filter(Boolean).join(' ')
  const rows = Object.entries(options ?? {}).map(([option, { takes, summary }]) => [
    `\`--${option}${takes ? ` ${takes}` : ''}\``,
    // As in "docent help": some begin with a value, such as "sqlite".
    summary,
  ])
  return [
    `### docent ${name}`,
    `${upperFirst(summary)}.`,
    ...(usage ? [`Usage: \`${call}\``] : []),
    ...(rows.length > 0 ? [table(['Option', 'Meaning'], rows)] : []),
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
  ].join('\n\n')
}
