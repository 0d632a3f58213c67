/** Example-based puppetry: a performer's poses onto a character's. */
export * from './runtime/index.ts';
export { suggestKeyPoses } from './training/key-poses.ts';
export { documentOf, type PairSources, resolvePairs } from './training/resolve-pairs.ts';
