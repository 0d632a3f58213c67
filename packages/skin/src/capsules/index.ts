/** Capsules about the bones of a body, for contacts. */
export { CAPSULE_DEFAULTS, type CapsuleOptions } from './options.ts';
export * from './runtime/index.ts';
export { fitCapsules } from './training/fit-capsules.ts';
