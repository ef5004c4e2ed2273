/**
 * A parameter of a failure. An amount is written as the reader's language writes numbers; a number, such as a port, stays
 * as it is.
 */
export type Param = 'text' | 'number' | 'amount'

export type Params<Kinds> = {
  -readonly [Name in keyof Kinds]: Kinds[Name] extends 'text' ? string : number
}
