/**
 * Several drivers on one skeleton: a pose, and poses on top of it for some joints each. A joint that a layer drives turns
 * against its parent as in the layer, M_j = M_p (M'_p⁻¹ M'_j), wherever the layers below have brought the parent; joints
 * that it does not drive keep what they did against their parents.
 */
import { composeTransforms, invertTransform } from '@pelt/math';
import { type Bone, InputError, TRANSFORM_SIZE } from '@pelt/model';

export interface PoseLayer {
  /** m × 12, rest → pose */
  readonly transforms: Float64Array;
  /** m, 1 for the joints that it drives; absent: all */
  readonly mask?: Uint8Array | undefined;
  /**
   * `local`: its joints turn against their parents as in the layer. `model`: they are where the layer has them, whatever
   * their parents do, as a hand that holds on to something.
   */
  readonly space?: 'local' | 'model' | undefined;
}

/**
 * The pose of a skeleton under several drivers.
 *
 * @param bones   m, parents before children
 * @param layers  in order: each on top of those before it
 * @param out     m × 12; overwritten; may be the transforms of a layer
 * @returns       `out`
 *
 * @example
 * {@includeCode ../../../examples/combine-poses.ts}
 */
export function combinePoses(bones: readonly Bone[], layers: readonly PoseLayer[], out: Float64Array): Float64Array {
  const size = TRANSFORM_SIZE * bones.length;
  if (layers.length === 0) throw new InputError('combinePoses: there is no pose; give at least one layer');
  for (const { transforms, mask } of layers) {
    if (transforms.length !== size || (mask && mask.length !== bones.length)) {
      throw new InputError(`combinePoses: a layer is not of ${bones.length} joints`);
    }
  }
  let pose = layers[0].transforms;
  const inverse = new Float64Array(TRANSFORM_SIZE);
  for (const layer of layers.slice(1)) {
    const next = new Float64Array(size);
    bones.forEach(({ parent }, j) => {
      const driven = !layer.mask || layer.mask[j] === 1;
      const from = driven ? layer.transforms : pose;
      const at = TRANSFORM_SIZE * j;
      if (parent < 0 || (driven && layer.space === 'model')) {
        next.set(from.subarray(at, at + TRANSFORM_SIZE), at);
        return;
      }
      invertTransform(from, TRANSFORM_SIZE * parent, inverse, 0);
      composeTransforms(inverse, 0, from, at, next, at);
      composeTransforms(next, TRANSFORM_SIZE * parent, next.slice(at, at + TRANSFORM_SIZE), 0, next, at);
    });
    pose = next;
  }
  if (out !== pose) out.set(pose);
  return out;
}

/**
 * Which joints a layer drives: those named, and all below them.
 *
 * @param bones   m, parents before children
 * @param joints  names
 * @returns       m, 1 for each of them
 *
 * @example
 * {@includeCode ../../../examples/combine-poses.ts}
 */
export function jointMask(bones: readonly Bone[], joints: readonly string[]): Uint8Array {
  const unknown = joints.find((name) => !bones.some((bone) => bone.name === name));
  if (unknown !== undefined) {
    throw new InputError(`there is no joint '${unknown}'; there are ${bones.map(({ name }) => name).join(', ')}`);
  }
  const mask = new Uint8Array(bones.length);
  bones.forEach(({ name, parent }, j) => {
    if (joints.includes(name) || (parent >= 0 && mask[parent])) mask[j] = 1;
  });
  return mask;
}
