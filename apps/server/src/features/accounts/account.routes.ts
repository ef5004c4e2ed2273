import { Model, Use, User } from '@docent/contract/account.ts'
import { Success } from '@docent/contract/field.ts'
import { PasswordChange } from '@docent/contract/sign-in.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { invalid } from '../../errors.ts'
import { errors } from '../../http/errors/error-responses.ts'
import { Throttle } from '../../http/guards/throttle.ts'
import { timestamp } from '../../http/timestamp.ts'
import type { Services } from '../../services.ts'
import { rowsOf } from '../owners/owner-use.store.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { endOtherSignIns } from './sign-ins.store.ts'
import { getUser, setPassword } from './users.store.ts'

export function accountRoutes({ db, models, quotas }: Services): FastifyPluginAsyncZod {
  const tries = new Throttle(db, { name: 'password', most: 10, windowMs: 900_000 })

  return async (app) => {
    app.get('/user', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the user of the token',
        response: { 200: User, ...errors() },
      },
      handler: async ({ caller }) => {
        const user = await getUser(db, caller.userId)
        return {
          uuid: user.id,
          name: user.name,
          created_at: timestamp(user.created_at),
          modified_at: timestamp(user.modified_at),
        }
      },
    })

    app.get('/user/use', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the storage use of your account',
        description: 'Measured a moment ago, with the limits of this server.',
        response: { 200: Use, ...errors() },
      },
      handler: async ({ caller }) => {
        const use = await quotas.useOf(caller.userId)
        const { rows: max_rows = null, bytes: max_bytes = null } = quotas.quota
        return { ...use, rows: rowsOf(use), max_rows, max_bytes }
      },
    })

    app.post('/user/password', {
      config: { scope: 'write' },
      schema: {
        summary: 'Change your password',
        description: 'Signs you out everywhere else.',
        body: PasswordChange,
        response: { 200: Success, ...errors(400, 413, 415, 422, 429) },
      },
      handler: async ({ caller, body }) => {
        const user = await getUser(db, caller.userId)
        await tries.take(user.id)
        if (!(await verifyPassword(body.current_password, user.password))) {
          const msg = 'is not your password'
          throw invalid([{ loc: ['body', 'current_password'], msg, type: 'not_password' }])
        }
        await tries.forget(user.id)
        await setPassword(db, user.id, await hashPassword(body.new_password))
        await endOtherSignIns(db, user.id, caller.signInId)
        return { success: true as const }
      },
    })

    app.get('/models', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the models that a chatbot can use',
        response: { 200: Model.array(), ...errors() },
      },
      handler: async () => models.list(),
    })
  }
}
