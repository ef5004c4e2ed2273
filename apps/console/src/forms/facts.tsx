import { Fragment } from 'react'

/** Facts in a line. Each has its own direction: in Arabic, a URL would separate the next number from its unit. */
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
