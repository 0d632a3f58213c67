/**
 * Learns the stretches of the tetrahedra in example poses, which then replace the identity in a volumetric deformation.
 * The vertices of the surface are placed as in the example, and the interior is solved for.
 *
 * Reference: Budd, Hilton. Skeleton driven Laplacian volumetric deformation. 2009 (§5, future work); Sumner, Zwicker,
 * Gotsman, Popović. Mesh-based inverse kinematics. 2005 (shapes as gradients).
 */
import { VolumeIteration, VolumeSystem } from '@pelt/kernels';
import { multiply3, polarDecomposition } from '@pelt/math';
import {
  checkCancelled,
  InputError,
  interruptible,
  NO_VERTEX,
  type Run,
  resolveOptions,
  type TetMesh,
  TRANSFORM_SIZE,
} from '@pelt/model';
import { LEARN_SHAPES_DEFAULTS, type LearnShapesOptions } from '../options.ts';
import { BoneFrames } from '../runtime/bone-frames.ts';
import type { ShapeExamples } from '../runtime/shape-blender.ts';
import { StretchLogs } from '../runtime/stretch-log.ts';
import { edgesOf, inverseOf } from '../runtime/tetrahedron-edges.ts';
import type { VolumeBinding, VolumeModel } from '../runtime/volume-deformer.ts';

/** The surface in a pose of the skeleton. */
export interface ShapeExample {
  /** m × 12, row-major 3 × 4 [R | t], rest → pose */
  readonly transforms: Float64Array;
  /** n × 3 vertices of the surface */
  readonly positions: Float32Array;
}

/**
 * Learns the shapes of a body from example meshes.
 *
 * @param data  the model, and examples of n vertices in poses of m bones; one of them should be the rest pose
 *
 * @example
 * {@includeCode ../../../examples/learn-shapes.ts}
 */
export function learnShapes(
  data: VolumeModel & { readonly examples: readonly ShapeExample[] },
  options: Partial<LearnShapesOptions> | undefined,
  run: Run,
): ShapeExamples {
  const resolved = resolveOptions('learnShapes', LEARN_SHAPES_DEFAULTS, options);
  const { surface, bones, examples } = data;
  const [size, m] = [surface.positions.length, bones.length];
  if (examples.length === 0) throw new InputError('learnShapes: no examples; give at least one');
  examples.forEach(({ transforms, positions }, t) => {
    if (positions.length === size && transforms.length === m * TRANSFORM_SIZE) return;
    throw new InputError(
      `learnShapes: example ${t} has ${positions.length / 3} vertices and ${transforms.length / TRANSFORM_SIZE} bones; ` +
        `give ${size / 3} and ${m}, as the mesh and the skeleton have`,
    );
  });
  return interruptible(run, () => {
    const poses = new Float64Array(examples.length * m * TRANSFORM_SIZE);
    examples.forEach(({ transforms }, t) => {
      poses.set(transforms, t * m * TRANSFORM_SIZE);
    });
    const parents = Int32Array.from(bones, (bone) => bone.parent);
    return { poses, parents, ...shapesOf(data.binding, m, examples, resolved, run) };
  });
}

function shapesOf(
  binding: VolumeBinding,
  m: number,
  examples: readonly ShapeExample[],
  { rounds, volumeWeight }: LearnShapesOptions,
  run: Run,
): Pick<ShapeExamples, 'logs' | 'offsets'> {
  const { body, skin, fixed } = binding;
  const e = body.tetrahedra.length / 4;
  const carriers = carriersOf(body);
  const rest = Float64Array.from(body.positions);
  const frames = new BoneFrames(skin);
  const logs = new Float32Array(6 * e * examples.length);
  const offsets = new Float32Array(3 * fixed.length * examples.length);
  const system = new VolumeSystem(run.numerics, rest, body.tetrahedra, {
    fixed: Uint32Array.from(carriers.keys()),
  });
  const iteration = new VolumeIteration(run.numerics, system, true);
  try {
    examples.forEach(({ transforms, positions }, t) => {
      run.onProgress?.({ stage: 'learning shapes', fraction: t / examples.length });
      const x = system.positions.view;
      x.set(rest);
      frames.pose(identities(m));
      frames.pose(transforms);
      frames.carry(x);
      for (const [v, i] of carriers) {
        // The small offset between a surface vertex and its carrier is neglected.
        for (let axis = 0; axis < 3; axis++) x[3 * v + axis] = positions[3 * i + axis];
      }
      if (system.free.length > 0) {
        iteration.beginAtPositions();
        for (let round = 0; round < rounds; round++) {
          checkCancelled(run);
          iteration.round(volumeWeight);
        }
        iteration.finish();
      }
      checkCancelled(run);
      stretchLogs(body, system.positions.view, logs, 6 * e * t);
      offsetsOf(binding, transforms, system.positions.view, offsets, 3 * fixed.length * t);
    });
  } finally {
    iteration.dispose();
    system.dispose();
  }
  return { logs, offsets };
}

/** The first surface vertex that each vertex of the body carries. */
function carriersOf(body: TetMesh): Map<number, number> {
  const carriers = new Map<number, number>();
  body.surface.forEach((v, i) => {
    if (v !== NO_VERTEX && !carriers.has(v)) carriers.set(v, i);
  });
  return carriers;
}

/** Logarithms of the tetrahedra's stretches. */
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

/** Displacements of the fixed vertices, with the blended transform of their bones inverted. */
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
