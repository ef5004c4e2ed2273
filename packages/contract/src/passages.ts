import { z } from 'zod'
import { text, UuidOut } from './field.ts'

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)

export const PassagesQuery = z.object({
  limit: wholeNumber
    .refine((n) => n >= 1 && n <= 1000, 'must be from 1 to 1,000')
    .optional()
    .meta({
      description: 'The maximum number of entries. Without it, the list is complete.',
      example: '100',
    }),
  after: wholeNumber
    .optional()
    .meta({ description: 'Only passages after this ID.', example: '17' }),
})

export const SourcePassage = z
  .object({
    id: z.int().meta({ example: 17 }),
    revision: z
      .string()
      .meta({ description: 'The hash of the revision that contains the passage.' }),
    start: z.int().meta({ description: 'In UTF-16 code units of that revision.', example: 0 }),
    end: z.int().meta({ example: 19 }),
    text: z.string().meta({ example: 'Daily from 9 to 17.' }),
    page: z
      .int()
      .nullable()
      .meta({ description: 'The page, for documents with pages.', example: null }),
    page_url: z
      .string()
      .meta({ description: 'The page URL, for sources that are sites.', example: '' }),
  })
  .meta({ id: 'SourcePassage', description: 'A passage of a source.' })
export type SourcePassage = z.infer<typeof SourcePassage>

export const ExcerptQuery = z.object({
  revision: z.string().meta({ example: '9f86d081884c7d65' }),
  start: wholeNumber.meta({ example: '0' }),
  end: wholeNumber.meta({ example: '19' }),
})

export const Excerpt = z
  .object({
    before: z.string().meta({ example: '# Opening hours\n\n' }),
    text: z.string().meta({ example: 'Daily from 9 to 17.' }),
    after: z.string().meta({ example: '' }),
  })
  .meta({ id: 'Excerpt', description: 'A cited range with the surrounding text.' })
export type Excerpt = z.infer<typeof Excerpt>

export const SearchQuery = z.object({
  query: text({ min: 1, max: 32_000, trim: true }).meta({ example: 'When are you open?' }),
  limit: z.int().min(1).max(50).default(10).meta({ example: 10 }),
  previous_query: text({ min: 1, max: 32_000, trim: true })
    .optional()
    .meta({ description: 'The previous question, for follow-up questions.' }),
})

export const FoundPassage = z
  .object({
    data_source_uuid: UuidOut,
    title: z.string().meta({ example: 'Opening hours' }),
    text: z.string().meta({ example: 'We are open daily from 9 to 17.' }),
    score: z.number().meta({ description: 'Higher is better.', example: 21.4 }),
    revision: z.string().meta({ example: 'f2a2bbd85f9b' }),
    start: z.int().meta({ example: 0 }),
    end: z.int().meta({ example: 31 }),
    page: z.int().nullable().meta({ example: null }),
    url: z.string().nullable().meta({ example: null }),
  })
  .meta({ id: 'FoundPassage', description: 'A passage that a search found.' })
export type FoundPassage = z.infer<typeof FoundPassage>
