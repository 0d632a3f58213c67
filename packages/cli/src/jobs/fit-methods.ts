/** The decomposition methods by the names that a command line knows them by; the first is the default. */
export const FIT_METHODS = ['ssdr'] as const;
export type FitMethod = (typeof FIT_METHODS)[number];
