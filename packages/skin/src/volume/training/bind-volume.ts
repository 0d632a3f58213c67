/** Holds a body by a skeleton: weights for its vertices, and those that follow the bones exactly. */

import type { Numerics } from '@pelt/math';
import {
  type Bone,
  InputError,
  NO_VERTEX,
  type RunContext,
  resolveOptions,
  type SkinWeights,
  stageOf,
  type TetMesh,
  validateTetMesh,
} from '@pelt/model';
import { BIND_VOLUME_DEFAULTS, type BindVolumeOptions } from '../options.ts';
import type { VolumeBinding } from '../runtime/volume-deformer.ts';
import { boneConstraints } from './bone-constraints.ts';
import { boneSegments } from './bone-segments.ts';
import { heatWeights } from './heat-weights.ts';
import { looseParts } from './loose-parts.ts';
import { nearestSegments } from './nearest-segments.ts';

/** @param bones  at rest where the body is */
export function bindVolume(
  numerics: Numerics,
  body: TetMesh,
  bones: readonly Bone[],
  options?: Partial<BindVolumeOptions>,
  context?: RunContext,
): VolumeBinding {
  const { constraints, tips, slots } = resolveOptions('bindVolume', BIND_VOLUME_DEFAULTS, options);
  validateTetMesh(body);
  if (bones.length === 0) throw new InputError('volume: the skeleton has no bones');
  const segments = boneSegments(bones, tips);
  const nearest = nearestSegments(body, segments);
  const skin = heatWeights(numerics, body, segments, nearest, bones.length, slots, stageOf(context, 0.1, 1));
  const held = constraints ? carriersOf(body, constraints) : boneConstraints(body, segments, nearest);
  const rigid = constraints
    ? skin
    : withRigid(
        skin,
        held,
        Int32Array.from(held, (v) => segments[nearest.segment[v]].bone),
      );
  // What nothing holds follows the bones by its weights, as a whole.
  const fixed = Uint32Array.from([...held, ...looseParts(body, held)]).sort();
  return { body, skin: rigid, fixed, yielding: constraints === undefined };
}

/** The weights with some vertices given to one bone each: a ring that linear blending would draw together stays round. */
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
      throw new InputError(`volume: constraint names vertex ${i}, the mesh has ${body.surface.length}`);
    }
    const v = body.surface[i];
    if (v === NO_VERTEX) throw new InputError(`volume: constraint names vertex ${i}, which no triangle uses`);
    carriers.add(v);
  }
  return Uint32Array.from(carriers).sort();
}
