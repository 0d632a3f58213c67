/** Binds a body to a skeleton: heat weights for its vertices, and constraints that follow the bones. */
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
  UsageError,
  validateSkinWeights,
  validateTetMesh,
} from '@pelt/model';
import { BIND_VOLUME_DEFAULTS, type BindVolumeOptions } from '../options.ts';
import type { VolumeBinding } from '../runtime/volume-deformer.ts';
import { boneConstraints } from './bone-constraints.ts';
import { boneSegments } from './bone-segments.ts';
import { heatWeights } from './heat-weights.ts';
import { looseParts } from './loose-parts.ts';
import { nearestSegments } from './nearest-segments.ts';

/** What is bound to what. */
export interface VolumeParts {
  readonly body: TetMesh;
  /** m, whose rest pose lies inside the body */
  readonly bones: readonly Bone[];
  /** n × K of the surface over the bones, as a rig has them; absent: those of the body by heat diffusion */
  readonly weights?: SkinWeights | undefined;
}

/**
 * Binds a body to a skeleton.
 *
 * @param data  a body of v vertices, m bones, and weights of its surface where it has any
 *
 * @example
 * {@includeCode ../../../examples/bind-volume.ts}
 */
export function bindVolume(
  { body, bones, weights }: VolumeParts,
  options: Partial<BindVolumeOptions> | undefined,
  run: Run,
): VolumeBinding {
  const { constraints, tips, slots } = resolveOptions('bindVolume', BIND_VOLUME_DEFAULTS, options);
  validateTetMesh(body);
  if (bones.length === 0) throw new InputError('bindVolume: the skeleton has no bones; give at least one');
  if (!(Number.isInteger(slots) && slots >= 1)) {
    throw new UsageError(`bindVolume: ${slots} weights per vertex; give a whole number from 1 on`);
  }
  if (weights) validateSkinWeights(weights, body.surface.length, bones.length);
  const chosen = constraints && carriersOf(body, constraints);
  return interruptible(run, () => {
    const segments = boneSegments(bones, tips);
    const nearest = nearestSegments(body, segments, stageOf(run, 0, 0.2));
    const heat = heatWeights(body, segments, nearest, { bones: bones.length, slots }, stageOf(run, 0.2, 1));
    const skin = weights ? withSurface(heat, body, weights) : heat;
    const held = chosen ?? boneConstraints(body, segments, nearest);
    const bonesOf = (vertices: Uint32Array) => Int32Array.from(vertices, (v) => segments[nearest.segment[v]].bone);
    // A component without constraints follows the bones as a whole, by its weights.
    const fixed = Uint32Array.from([...held, ...looseParts(body, held)]).sort();
    return { body, skin: chosen ? skin : withRigid(skin, held, bonesOf(held)), fixed, yielding: !chosen };
  });
}

/** The weights that somebody gave the surface, in place of those found for it. */
function withSurface(skin: SkinWeights, { surface }: TetMesh, given: SkinWeights): SkinWeights {
  const slots = Math.max(skin.slots, given.slots);
  const v = skin.bones.length / skin.slots;
  const out = { slots, bones: new Uint16Array(v * slots), weights: new Float32Array(v * slots) };
  const copy = (from: SkinWeights, row: number, to: number) => {
    out.bones
      .fill(0, to * slots, (to + 1) * slots)
      .set(from.bones.subarray(row * from.slots, (row + 1) * from.slots), to * slots);
    out.weights
      .fill(0, to * slots, (to + 1) * slots)
      .set(from.weights.subarray(row * from.slots, (row + 1) * from.slots), to * slots);
  };
  for (let k = 0; k < v; k++) copy(skin, k, k);
  surface.forEach((carrier, i) => {
    if (carrier !== NO_VERTEX) copy(given, i, carrier);
  });
  return out;
}

/** Binds some vertices to one bone each, so that a ring, which linear blending would contract, keeps its shape. */
function withRigid(skin: SkinWeights, vertices: Uint32Array, bones: Int32Array): SkinWeights {
  const K = skin.slots;
  const result = { slots: K, bones: skin.bones.slice(), weights: skin.weights.slice() };
  vertices.forEach((v, k) => {
    result.bones.fill(0, v * K, (v + 1) * K);
    result.weights.fill(0, v * K, (v + 1) * K);
    result.bones[v * K] = bones[k];
    result.weights[v * K] = 1;
  });
  return result;
}

/** The vertices of the body that carry given vertices of the surface. */
function carriersOf(body: TetMesh, vertices: Uint32Array): Uint32Array {
  const carriers = new Set<number>();
  for (const i of vertices) {
    if (i >= body.surface.length) {
      throw new InputError(
        `bindVolume: there is no vertex ${i} to constrain; vertices are 0 to ${body.surface.length - 1}`,
      );
    }
    const v = body.surface[i];
    if (v === NO_VERTEX) {
      throw new InputError(`bindVolume: vertex ${i} is not part of a triangle; constrain another one`);
    }
    carriers.add(v);
  }
  return Uint32Array.from(carriers).sort();
}
