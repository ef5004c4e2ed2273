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

/** The account that the token belongs to. */
export class Account {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  user(options?: CallOptions): Promise<User> {
    return this.#transport.json({ method: 'GET', path: '/user', isRepeatable: true }, options)
  }

  /** Gets the storage that the account uses, with its limits. */
  use(options?: CallOptions): Promise<Use> {
    return this.#transport.json({ method: 'GET', path: '/user/use', isRepeatable: true }, options)
  }

  /** Gets how this request reaches the server, for example through a proxy. */
  connection(options?: CallOptions): Promise<Connection> {
    return this.#transport.json({ method: 'GET', path: '/connection', isRepeatable: true }, options)
  }

  /** Changes the password and ends all other sign-ins. */
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

/** Your own API tokens. */
export class Tokens {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(options?: CallOptions): Promise<Token[]> {
    return this.#transport.json({ method: 'GET', path: '/tokens', isRepeatable: true }, options)
  }

  /**
   * Creates a token. Only this response contains the token itself. A token cannot have more rights than the token that
   * creates it.
   *
   * @example
   * ```ts
   * const { token } = await client.tokens.create({ name: 'website', scopes: ['chat'], expires_in_days: 90 })
   * ```
   */
  create(token: NewToken, options?: CallOptions): Promise<CreatedToken> {
    return this.#transport.json({ method: 'POST', path: '/token/create', json: token }, options)
  }

  /** Revokes a token immediately. */
  revoke(token: Ref, options?: CallOptions): Promise<Success> {
    const path = `/token/${uuidOf(token)}/revoke`
    return this.#transport.json({ method: 'POST', path }, options)
  }
}

/**
 * Signs people in. The server sets a cookie that scripts cannot read, so use this only on pages that the server itself
 * serves.
 */
export class SignIn {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  state(options?: CallOptions): Promise<SignInState> {
    const call = { method: 'GET', path: '/auth/state', isRepeatable: true } as const
    return this.#transport.json(call, options)
  }

  /** Creates the first account and signs in. */
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
