/** Controls where the caller says nothing: what the paper's four-legged models have. */
export const DEFAULT_CONTROLS = 33;
