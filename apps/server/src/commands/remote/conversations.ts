import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ExportOptions } from '@docent/client'
import { refuseExisting } from '../../keeping/unfinished-files.ts'
import { type Invocation, required, UsageError } from '../command.ts'
import { unlessInterrupted } from '../terminal.ts'
import { connect } from './connect.ts'
import { chooseBot } from './current-chatbot.ts'

/** Writes the whole file or none: an interrupted export leaves no file. */
export async function writeConversations(call: Invocation): Promise<void> {
  const { args, values, switches, environment, print } = call
  const file = resolve(required(args[0], 'a file: docent conversations FILE.csv'))
  const wanted = readWanted(file, values)
  if (!switches.force) refuseExisting(file)
  const server = connect(environment)
  const chatbot = await chooseBot(call, server, values.bot)
  const part = `${file}.${process.pid}.part`
  const removePart = () => rmSync(part, { force: true })
  try {
    const pieces = Readable.from(server.client.chatbots.exportConversations(chatbot, wanted))
    // Only the current user may read the file, because it holds visitors' messages.
    const writing = pipeline(pieces, createWriteStream(part, { mode: 0o600, flags: 'wx' }))
    await unlessInterrupted(writing, removePart)
    renameSync(part, file)
  } catch (error) {
    removePart()
    throw error
  }
  print({ file }, `Wrote the conversations of "${chatbot.name}" to ${file}.`)
}

function readWanted(file: string, values: Invocation['values']): ExportOptions {
  const format = /\.(csv|jsonl)$/i.exec(file)?.[1]?.toLowerCase()
  if (!format) throw new UsageError('The file name must end in .csv or .jsonl.')
  const { search, from, to, channel, rating } = values
  return {
    format: format as ExportOptions['format'],
    search,
    from: from === undefined ? undefined : momentOf(from, '00:00', '--from'),
    to: to === undefined ? undefined : momentOf(to, '23:59:59.999', '--to'),
    channel: channel as ExportOptions['channel'],
    rating: rating as ExportOptions['rating'],
  }
}

/** Days are in the time zone of this machine. */
function momentOf(day: string, time: string, option: string): Date {
  const moment = new Date(`${day}T${time}`)
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(moment.getTime())) {
    throw new UsageError(`${option} must be a day, such as 2026-11-15.`)
  }
  return moment
}
