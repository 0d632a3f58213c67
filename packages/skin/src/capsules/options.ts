/** Options of capsules that are fitted to a body, with their defaults. */

/** Options of `fitCapsules`. */
export interface CapsuleOptions {
  /** n: 1 for a vertex that is not of the body, such as cloth and hair; undefined for none. */
  readonly without: Uint8Array | undefined;
  /** Vertices that a bone has to move for a capsule of its own. */
  readonly leastVertices: number;
}

export const CAPSULE_DEFAULTS: CapsuleOptions = { without: undefined, leastVertices: 8 };
