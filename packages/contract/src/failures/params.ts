/**
 * The type of a failure's parameter. An amount is formatted in the reader's language. A number, for example a port,
 * stays as it is.
 */
export type Param = 'text' | 'number' | 'amount'

export type Params<Kinds> = {
  -readonly [Name in keyof Kinds]: Kinds[Name] extends 'text' ? string : number
}
