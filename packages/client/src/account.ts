import type { CallOptions, Transport } from './http/send-request.ts'
import { uuidOf } from './lists.ts'
import type {
  Connection,
  CreatedToken,
  Model,
  SignInState,
  Success,
  Token,
  Use,
  User,
} from './records.ts'
import type { Ref } from './request-types.ts'
import type { NewAccount, NewToken } from './requests.ts'

/** Whose token it is. */
export class Account {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  user(options?: CallOptions): Promise<User> {
    return this.#transport.json({ method: 'GET', path: '/user', isRepeatable: true }, options)
  }

  /** How much it has stored, and how much it may. */
  use(options?: CallOptions): Promise<Use> {
    return this.#transport.json({ method: 'GET', path: '/user/use', isRepeatable: true }, options)
  }

  /** How this very call arrives at the server. */
  connection(options?: CallOptions): Promise<Connection> {
    return this.#transport.json({ method: 'GET', path: '/connection', isRepeatable: true }, options)
  }

  /** Signs out everywhere else. */
  changePassword(
    passwords: { current: string; next: string },
    options?: CallOptions,
  ): Promise<Success> {
    const json = { current_password: passwords.current, new_password: passwords.next }
    return this.#transport.json({ method: 'POST', path: '/user/password', json }, options)
  }
}

/** The models that a chatbot can use. */
export class Models {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(options?: CallOptions): Promise<Model[]> {
    return this.#transport.json({ method: 'GET', path: '/models', isRepeatable: true }, options)
  }
}

/** API tokens of your own. */
export class Tokens {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(options?: CallOptions): Promise<Token[]> {
    return this.#transport.json({ method: 'GET', path: '/tokens', isRepeatable: true }, options)
  }

  /**
   * The token itself is in this answer only. It cannot do more than the one that makes it.
   *
   * @example
   * ```ts
   * const { token } = await client.tokens.create({ name: 'website', scopes: ['chat'], expires_in_days: 90 })
   * ```
   */
  create(token: NewToken, options?: CallOptions): Promise<CreatedToken> {
    return this.#transport.json({ method: 'POST', path: '/token/create', json: token }, options)
  }

  /** Takes effect at once. */
  revoke(token: Ref, options?: CallOptions): Promise<Success> {
    const path = `/token/${uuidOf(token)}/revoke`
    return this.#transport.json({ method: 'POST', path }, options)
  }
}

/** How people get in. The server sets a cookie that scripts cannot read, so this is for pages of the server itself. */
export class SignIn {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  state(options?: CallOptions): Promise<SignInState> {
    const call = { method: 'GET', path: '/auth/state', isRepeatable: true } as const
    return this.#transport.json(call, options)
  }

  /** Creates the first account, and signs in. */
  setUp(account: NewAccount, options?: CallOptions): Promise<SignInState> {
    return this.#transport.json({ method: 'POST', path: '/auth/setup', json: account }, options)
  }

  signIn(
    credentials: { name: string; password: string },
    options?: CallOptions,
  ): Promise<SignInState> {
    const call = { method: 'POST', path: '/auth/sign-in', json: credentials } as const
    return this.#transport.json(call, options)
  }

  signOut(options?: CallOptions): Promise<Success> {
    return this.#transport.json({ method: 'POST', path: '/auth/sign-out' }, options)
  }
}
