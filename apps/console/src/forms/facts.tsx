import { Fragment } from 'react'

/** In one line. Each keeps its own direction: in Arabic, an address would tear the next number from its unit. */
export function Facts({ facts }: { facts: (string | false | null | undefined)[] }) {
  return facts
    .filter((fact): fact is string => Boolean(fact))
    .map((fact, index) => (
      <Fragment key={fact}>
        {index > 0 && ' · '}
        <bdi>{fact}</bdi>
      </Fragment>
    ))
}
