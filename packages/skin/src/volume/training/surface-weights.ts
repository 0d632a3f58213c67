/** Skinning weights for a mesh that has none: those of the body inside it, by heat diffusion, at its surface. */
import {
  type Bone,
  InputError,
  interruptible,
  NO_VERTEX,
  type Run,
  resolveOptions,
  type SkinWeights,
  stageOf,
  type TetMesh,
  validateTetMesh,
} from '@pelt/model';
import { BIND_VOLUME_DEFAULTS, type BindVolumeOptions } from '../options.ts';
import { boneSegments } from './bone-segments.ts';
import { heatWeights } from './heat-weights.ts';
import { nearestSegments } from './nearest-segments.ts';

/**
 * Automatic skinning weights of the mesh that a body was made from.
 *
 * @param data  a body of v vertices for n of a mesh, and m bones inside it
 * @returns n × K; a vertex without triangles follows the first bone
 *
 * @example
 * {@includeCode ../../../examples/surface-weights.ts}
 */
export function surfaceWeights(
  { body, bones }: { readonly body: TetMesh; readonly bones: readonly Bone[] },
  options: Partial<Omit<BindVolumeOptions, 'constraints'>> | undefined,
  run: Run,
): SkinWeights {
  const { tips, slots } = resolveOptions('surfaceWeights', BIND_VOLUME_DEFAULTS, options);
  validateTetMesh(body);
  if (bones.length === 0) throw new InputError('surfaceWeights: the skeleton has no bones; give at least one');
  return interruptible(run, () => {
    const segments = boneSegments(bones, tips);
    const nearest = nearestSegments(body, segments, stageOf(run, 0, 0.2));
    const heat = heatWeights(body, segments, nearest, { bones: bones.length, slots }, stageOf(run, 0.2, 1));
    const K = heat.slots;
    const n = body.surface.length;
    const out = { slots: K, bones: new Uint16Array(n * K), weights: new Float32Array(n * K) };
    body.surface.forEach((v, i) => {
      if (v === NO_VERTEX) out.weights[i * K] = 1;
      else {
        out.bones.set(heat.bones.subarray(v * K, (v + 1) * K), i * K);
        out.weights.set(heat.weights.subarray(v * K, (v + 1) * K), i * K);
      }
    });
    return out;
  });
}
