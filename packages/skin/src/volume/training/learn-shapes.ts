/**
 * Example meshes shape a volumetric deformation: each gives the stretches that the tetrahedra have in its pose, which
 * then take the place of none. The surface's vertices are put where the example has them, the inside follows.
 *
 * Reference: Budd, Hilton. Skeleton driven Laplacian volumetric deformation. 2009 (§5, the extension that is wished for);
 * Sumner, Zwicker, Gotsman, Popović. Mesh-based inverse kinematics. 2005 (shapes as gradients).
 */
import { multiply3, type Numerics, polarDecomposition, VolumeIteration, VolumeSystem } from '@pelt/math';
import {
  type Bone,
  checkCancelled,
  InputError,
  type Mesh,
  NO_VERTEX,
  type RunContext,
  type TetMesh,
  TRANSFORM_SIZE,
} from '@pelt/model';
import { BoneFrames } from '../runtime/bone-frames.ts';
import type { ShapeExamples } from '../runtime/shape-blender.ts';
import { StretchLogs } from '../runtime/stretch-log.ts';
import { edgesOf, inverseOf } from '../runtime/tetrahedron-edges.ts';
import type { VolumeBinding } from '../runtime/volume-deformer.ts';

/** A mesh in a pose of the skeleton. */
export interface ShapeExample {
  /** m × 12, row-major 3 × 4 [R | t], rest → pose */
  readonly transforms: Float64Array;
  /** n × 3 positions of the surface's vertices */
  readonly positions: Float32Array;
}

/** Rounds in which the inside finds its place; the surface is given. */
const ROUNDS = 30;
/** Weight of the volume in them. */
const VOLUME_WEIGHT = 20;

export function learnShapes(
  numerics: Numerics,
  surface: Mesh,
  bones: readonly Bone[],
  binding: VolumeBinding,
  examples: readonly ShapeExample[],
  context?: RunContext,
): ShapeExamples {
  if (examples.length === 0) throw new InputError('shapes: no examples are given');
  const { body, skin, fixed } = binding;
  const m = bones.length;
  const e = body.tetrahedra.length / 4;
  const carriers = carriersOf(body);
  const rest = Float64Array.from(body.positions);
  const system = new VolumeSystem(numerics, rest, body.tetrahedra, Uint32Array.from(carriers.keys()));
  const frames = new BoneFrames(skin);
  const logs = new Float32Array(6 * e * examples.length);
  const offsets = new Float32Array(3 * fixed.length * examples.length);
  const iteration = new VolumeIteration(numerics, system, true);
  examples.forEach(({ transforms, positions }, t) => {
    checkCancelled(context);
    context?.onProgress?.({ stage: 'learning shapes', fraction: t / examples.length });
    if (positions.length !== surface.positions.length || transforms.length !== m * TRANSFORM_SIZE) {
      throw new InputError(`shapes: example ${t} has other vertices or bones than the mesh and the skeleton`);
    }
    const x = system.positions.view;
    x.set(rest);
    frames.pose(identities(m));
    frames.pose(transforms);
    frames.carry(x);
    for (const [v, i] of carriers) {
      // A carrier lies where its surface vertex is, but for the little that the two are apart.
      for (let axis = 0; axis < 3; axis++) x[3 * v + axis] = positions[3 * i + axis];
    }
    if (system.free.length > 0) {
      iteration.beginAtPositions();
      for (let round = 0; round < ROUNDS; round++) iteration.round(VOLUME_WEIGHT);
      iteration.finish();
    }
    stretchLogs(body, system.positions.view, logs, 6 * e * t);
    offsetsOf(binding, transforms, system.positions.view, offsets, 3 * fixed.length * t);
  });
  iteration.dispose();
  system.dispose();
  const poses = new Float64Array(examples.length * m * TRANSFORM_SIZE);
  examples.forEach(({ transforms }, t) => {
    poses.set(transforms, t * m * TRANSFORM_SIZE);
  });
  return { poses, parents: Int32Array.from(bones, (bone) => bone.parent), logs, offsets };
}

/** Body vertex → the first surface vertex that it carries. */
function carriersOf(body: TetMesh): Map<number, number> {
  const carriers = new Map<number, number>();
  body.surface.forEach((v, i) => {
    if (v !== NO_VERTEX && !carriers.has(v)) carriers.set(v, i);
  });
  return carriers;
}

/** The logarithm of each tetrahedron's stretch at `positions`. */
function stretchLogs(body: TetMesh, positions: Float64Array, out: Float32Array, at: number): void {
  const e = body.tetrahedra.length / 4;
  const [edges, restEdges, gradient] = [new Float64Array(9), new Float64Array(9), new Float64Array(9)];
  const [rotation, stretch] = [new Float64Array(9), new Float64Array(9)];
  const logs = new StretchLogs();
  for (let k = 0; k < e; k++) {
    edgesOf(positions, body.tetrahedra, k, edges);
    edgesOf(body.positions, body.tetrahedra, k, restEdges);
    multiply3(edges, 0, inverseOf(restEdges), 0, gradient, 0);
    polarDecomposition(gradient, 0, rotation, 0, stretch, 0);
    logs.log([stretch[0], stretch[1], stretch[2], stretch[4], stretch[5], stretch[8]], 0, out, at + 6 * k);
  }
}

/** Where the fixed vertices are, taken back through the blend of their bones, less their rest positions. */
function offsetsOf(
  { body, skin, fixed }: VolumeBinding,
  transforms: Float64Array,
  positions: Float64Array,
  out: Float32Array,
  at: number,
): void {
  const [linear, moved] = [new Float64Array(9), new Float64Array(3)];
  fixed.forEach((v, k) => {
    linear.fill(0);
    moved.set(positions.subarray(3 * v, 3 * v + 3));
    let total = 0;
    for (let s = v * skin.slots; s < (v + 1) * skin.slots; s++) total += skin.weights[s];
    for (let s = v * skin.slots; s < (v + 1) * skin.slots; s++) {
      const weight = skin.weights[s] / total;
      for (let r = 0; r < 3; r++) {
        const row = TRANSFORM_SIZE * skin.bones[s] + 4 * r;
        for (let c = 0; c < 3; c++) linear[3 * r + c] += weight * transforms[row + c];
        moved[r] -= weight * transforms[row + 3];
      }
    }
    const inverse = inverseOf(linear);
    for (let r = 0; r < 3; r++) {
      let place = -body.positions[3 * v + r];
      for (let c = 0; c < 3; c++) place += inverse[3 * r + c] * moved[c];
      out[at + 3 * k + r] = place;
    }
  });
}

function identities(m: number): Float64Array {
  return Float64Array.from({ length: m * TRANSFORM_SIZE }, (_, k) => ((k % TRANSFORM_SIZE) % 5 === 0 ? 1 : 0));
}
