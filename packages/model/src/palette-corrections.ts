import { InputError } from './errors.ts';
import { requireFinite, requireIndices, requireLength } from './require.ts';

/**
 * Affine corrections of the palette of a learnt skin at example poses, interpolated between them: they cost nothing per
 * vertex, as displacements do. Transform b is corrected by
 *
 *   Q_j [X | t],   x ↦ X (x − o_j) + t,   [X | t] = Σ_r (Σ_s w_bs c_jr) [X | t]_rb,
 *
 * in the axes of the first of its joints, about the origin o_j of that joint at rest; c are the weights that the examples
 * have at a joint.
 */
export interface PaletteCorrections {
  /** E × m × 3 rotation vectors of the joints at the example poses */
  readonly poses: Float64Array;
  /** R × E: how much of each principal correction an example has */
  readonly mixing: Float64Array;
  /** B transforms of the palette, numbered as the weights of the skin number them */
  readonly entries: Uint16Array;
  /** J, joints that a transform listens to, at most */
  readonly slots: number;
  /** B × J joints; the first gives the axes */
  readonly joints: Uint16Array;
  /** B × J convex weights of the joints */
  readonly weights: Float32Array;
  /** R × B × 12 corrections, row-major 3 × 4 */
  readonly maps: Float32Array;
}

/**
 * Throws `InputError` unless every array has its size, finite, with indices in range.
 *
 * @param m        number of bones
 * @param palette  number of transforms of the palette
 */
export function validatePaletteCorrections(
  what: string,
  { poses, mixing, entries, slots, joints, weights, maps }: PaletteCorrections,
  m: number,
  palette: number,
): void {
  const E = poses.length / (3 * m);
  if (!Number.isInteger(E) || E === 0) {
    throw new InputError(`${what}: ${poses.length} numbers are not poses of ${m} joints`);
  }
  requireFinite(`${what}: poses`, poses, 3 * m);
  const R = mixing.length / E;
  if (!Number.isInteger(R) || R === 0) {
    throw new InputError(`${what}: ${mixing.length} numbers do not mix corrections of ${E} poses`);
  }
  requireFinite(`${what}: mixing`, mixing, E);
  requireIndices(`${what}: entries`, entries, palette);
  const B = entries.length;
  if (!Number.isInteger(slots) || slots < 1) throw new InputError(`${what}: ${slots} slots, expected 1 or more`);
  requireLength(`${what}: joints`, joints, B * slots);
  requireIndices(`${what}: joints`, joints, m);
  requireLength(`${what}: weights`, weights, B * slots);
  requireFinite(`${what}: weights`, weights, slots);
  requireLength(`${what}: maps`, maps, R * B * 12);
  requireFinite(`${what}: maps`, maps, 12);
}
