import Fastify from 'fastify'

// The upper limit: Fastify alone with responses of the same size, without token, database or validation.
const replies = JSON.parse(process.argv[2]!) as { one: unknown; many: unknown; text: string }

const app = Fastify()
app.get('/one', async () => replies.one)
app.get('/many', async () => replies.many)
app.post('/one', async () => replies.one)
app.post('/text', async (_request, reply) =>
  reply.type('text/plain; charset=utf-8').send(replies.text),
)
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${address}\n`)
process.on('SIGTERM', () => process.exit(0))
