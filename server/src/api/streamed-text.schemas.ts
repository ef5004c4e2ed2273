import { z } from 'zod'

export const StreamedText = {
  description: 'The answer while it is given; the end of the connection is its end.',
  content: {
    'text/plain': { schema: z.string().meta({ example: 'Daily from 9 to 17. [1.1]' }) },
    'text/event-stream': {
      schema: z.string().meta({
        description:
          'With Accept: text/event-stream. Events message-start, text-delta, message-end, error.',
        example: 'event: text-delta\ndata: {"type":"text-delta","text":"Daily","offset":0}\n\n',
      }),
    },
  },
}
