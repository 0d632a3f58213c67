/** Embed: a skeleton with weights for a mesh without motion. */
export { type EmbeddedSkeleton, embedSkeleton } from './embed-skeleton.ts';
export { BODY_PLANS, type BodyPlan, EMBED_DEFAULTS, type EmbedOptions } from './options.ts';
