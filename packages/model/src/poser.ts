import { InputError } from './errors.ts';
import { vertexCount } from './mesh.ts';
import { requireFinite, requireIndices, requireLength } from './require.ts';
import { type Rig, TRANSFORM_SIZE, validateRig } from './rig.ts';

/** Numbers of one block of the gradients' matrix: four unknowns of a control by three columns of the gradient. */
export const GRADIENT_BLOCK = 12;

/**
 * Regions of a body that depart from the common blend of the examples each for itself: limbs, trunk, head. They form a
 * tree, in which neighbours are coupled.
 */
export interface BodyRegions {
  /** p × R, row-major: shares of the regions in each proxy, not negative, sum 1 */
  readonly shares: Float64Array;
  /** R: the region that each hangs on; −1 for the root */
  readonly parents: Int32Array;
  /** R: how alike each moves with its parent over the examples, from 0 to 1; 0 for the root */
  readonly bonds: Float64Array;
}

/**
 * A character that is posed by pulling its skin: a rig whose bones are free affine controls, a few proxies that stand
 * for groups of vertices, and how every example turns and stretches each proxy.
 *
 * Lengths in `blocks` are relative: positions are taken from `center` and divided by `size`.
 */
export interface Poser {
  readonly name: string;
  /** The mesh and its weights; the bones are the controls. */
  readonly rig: Rig;
  readonly center: readonly [number, number, number];
  /** Diagonal of the rest pose's box. */
  readonly size: number;
  /** n: the proxy that stands for each vertex */
  readonly vertexProxies: Uint32Array;
  /** p shares of the surface, sum 1 */
  readonly proxyWeights: Float64Array;
  /** p + 1: where the blocks of each proxy begin */
  readonly blockStarts: Uint32Array;
  /** the control of each block */
  readonly blockControls: Uint16Array;
  /** blocks × 12, row-major 4 × 3: what a control's row [F | d] adds to a row of the proxy's gradient */
  readonly blocks: Float64Array;
  /** Each example by a name, for reports. */
  readonly exampleNames: readonly string[];
  /** E × p × 3 logarithms of the proxies' rotations */
  readonly exampleLogs: Float64Array;
  /** E × p × 6: S − I of the proxies' stretches, as xx, xy, xz, yy, yz, zz */
  readonly exampleStretches: Float64Array;
  /** E × m × 12, the controls of each example, rest → pose in model space */
  readonly exampleTransforms: Float64Array;
  /** n × 3 of each of the first examples, or none: what it adds to the rest pose that the controls cannot do */
  readonly exampleDetails: readonly Float32Array[];
  /** Absent: one region, the whole body. */
  readonly regions?: BodyRegions | undefined;
}

/**
 * The number p of proxies: groups of vertices that share one deformation gradient.
 * @example
 * {@includeCode ../examples/poser.ts}
 */
export function proxyCount(poser: Poser): number {
  return poser.proxyWeights.length;
}

/**
 * The number E of examples that the poser was learnt from.
 * @example
 * {@includeCode ../examples/poser.ts}
 */
export function exampleCount(poser: Poser): number {
  return poser.exampleNames.length;
}

/**
 * The number R of regions that blend the examples each for itself; 1 where the whole body has one blend.
 * @example
 * {@includeCode ../examples/poser.ts}
 */
export function regionCount({ regions }: Pick<Poser, 'regions'>): number {
  return regions?.parents.length ?? 1;
}

/**
 * Throws `InputError` unless every array has its size, every index is in range and every number is finite.
 * @example
 * {@includeCode ../examples/poser.ts}
 */
export function validatePoser(poser: Poser): void {
  const what = poser.name ? `poser '${poser.name}'` : 'poser';
  validateRig(poser.rig);
  const [n, m, p, E] = [vertexCount(poser.rig.mesh), poser.rig.bones.length, proxyCount(poser), exampleCount(poser)];
  if (p === 0) throw new InputError(`${what}: no proxies`);
  if (!(poser.size > 0) || !Number.isFinite(poser.size)) throw new InputError(`${what}: its size is ${poser.size}`);
  requireFinite(`${what}: center`, Float64Array.from(poser.center));
  requireLength(`${what}: vertexProxies`, poser.vertexProxies, n);
  requireIndices(`${what}: vertexProxies`, poser.vertexProxies, p);
  requireFinite(`${what}: proxyWeights`, poser.proxyWeights);
  requireLength(`${what}: blockStarts`, poser.blockStarts, p + 1);
  for (let k = 0; k < p; k++) {
    if (poser.blockStarts[k] > poser.blockStarts[k + 1]) throw new InputError(`${what}: blockStarts falls at ${k}`);
  }
  const blocks = poser.blockControls.length;
  if (poser.blockStarts[0] !== 0 || poser.blockStarts[p] !== blocks) {
    throw new InputError(`${what}: blockStarts spans ${poser.blockStarts[p]} blocks, but there are ${blocks}`);
  }
  requireIndices(`${what}: blockControls`, poser.blockControls, m);
  requireLength(`${what}: blocks`, poser.blocks, GRADIENT_BLOCK * blocks);
  requireFinite(`${what}: blocks`, poser.blocks, GRADIENT_BLOCK);
  requireLength(`${what}: exampleLogs`, poser.exampleLogs, E * p * 3);
  requireFinite(`${what}: exampleLogs`, poser.exampleLogs, 3);
  requireLength(`${what}: exampleStretches`, poser.exampleStretches, E * p * 6);
  requireFinite(`${what}: exampleStretches`, poser.exampleStretches, 6);
  requireLength(`${what}: exampleTransforms`, poser.exampleTransforms, E * m * TRANSFORM_SIZE);
  requireFinite(`${what}: exampleTransforms`, poser.exampleTransforms, TRANSFORM_SIZE);
  const details = poser.exampleDetails;
  if (details.length > E) {
    throw new InputError(`${what}: details of ${details.length} examples, but there are ${E}`);
  }
  details.forEach((detail, e) => {
    requireLength(`${what}: exampleDetails[${e}]`, detail, 3 * n);
    requireFinite(`${what}: exampleDetails[${e}]`, detail, 3);
  });
  if (poser.regions) validateRegions(`${what}: regions`, poser.regions, p);
}

/** A sum of shares may be off by this. */
const ROUNDING = 1e-6;

function validateRegions(what: string, { shares, parents, bonds }: BodyRegions, p: number): void {
  const R = parents.length;
  requireLength(`${what}: shares`, shares, p * R);
  requireLength(`${what}: bonds`, bonds, R);
  for (let k = 0; k < p; k++) {
    const own = shares.subarray(k * R, (k + 1) * R);
    const sum = own.reduce((total, share) => total + share, 0);
    if (own.some((share) => !(share >= 0)) || !(Math.abs(sum - 1) <= ROUNDING)) {
      throw new InputError(`${what}: the shares of proxy ${k} sum to ${sum}; give none below 0 and a sum of 1`);
    }
  }
  for (let r = 0; r < R; r++) {
    if (!(bonds[r] >= 0 && bonds[r] <= 1)) throw new InputError(`${what}: bond ${r} is ${bonds[r]}, not 0 to 1`);
    let [at, steps] = [r, 0];
    for (; at >= 0 && at < R && steps <= R; steps++) at = parents[at];
    if (at !== -1) throw new InputError(`${what}: region ${r} does not hang on a root`);
  }
}
