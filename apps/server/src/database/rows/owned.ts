declare const owned: unique symbol

/** A record whose owner was checked. Only the `getOwned…` and `create…` functions of the store make one. */
export type Owned<T> = T & { readonly [owned]: true }

export function asOwned<T>(record: T): Owned<T> {
  return record as Owned<T>
}
