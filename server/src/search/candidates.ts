// How many passages each way of finding names at most. They are then judged one by one.
export const CANDIDATES_BY_WORDS = 50
export const CANDIDATES_BY_MEANING = 50
