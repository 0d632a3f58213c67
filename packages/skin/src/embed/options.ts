/** Options of embedding a skeleton, with their defaults. */
import type { NameStyle } from '../skeleton/options.ts';

/** Skeletons that come with pelt. */
export const BODY_PLANS = ['human', 'quadruped', 'bird', 'fish', 'snake', 'spider', 'insect', 'hand'] as const;

export type BodyPlan = (typeof BODY_PLANS)[number];

/** Options of `embedSkeleton`. */
export interface EmbedOptions {
  /** K, maximum weights per vertex. */
  readonly weights: number;
  /** Convention of the names of a person's bones. */
  readonly names: NameStyle;
  /** Known places of joints in the mesh, by name; the others follow. */
  readonly landmarks: ReadonlyMap<string, readonly [number, number, number]>;
}

export const EMBED_DEFAULTS: EmbedOptions = { weights: 4, names: 'plain', landmarks: new Map() };
