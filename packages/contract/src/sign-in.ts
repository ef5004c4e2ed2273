import { z } from 'zod'
import { text, UuidOut } from './field.ts'

export const Password = text({ min: 10, max: 200 }).meta({ example: 'correct horse battery' })

const userName = text({ min: 1, max: 100, trim: true }).meta({ example: 'owner' })

export const NewAccount = z
  .object({
    name: userName,
    password: Password,
    code: z.string().meta({
      description: 'The code in the link that the server prints at startup.',
      example: 'a1B2c3D4',
    }),
  })
  .meta({ title: 'NewAccount' })
export type NewAccount = z.infer<typeof NewAccount>

export const Credentials = z.object({
  name: userName,
  password: text({ min: 1, max: 200 }).meta({ example: 'correct horse battery' }),
})

export type Credentials = z.infer<typeof Credentials>

export const PasswordChange = z.object({
  current_password: text({ min: 1, max: 200 }).meta({ example: 'correct horse battery' }),
  new_password: Password,
})

const Account = z.object({ uuid: UuidOut, name: z.string().meta({ example: 'owner' }) })

export const SignInState = z
  .object({
    user: Account.nullable().meta({ description: 'The signed-in user.' }),
    needs_account: z
      .boolean()
      .meta({ description: 'Whether no account exists yet.', example: false }),
  })
  .meta({ id: 'SignInState' })
export type SignInState = z.infer<typeof SignInState>
