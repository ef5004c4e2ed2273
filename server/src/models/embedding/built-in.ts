// Apart from the model itself, whose runtime takes memory as soon as it is imported.
export const BUILT_IN_NAME = 'docent-meaning-en-3'
export const BUILT_IN_DIMENSIONS = 384
