/**
 * A solved skeleton as a rig that any engine can play: parents before children, bones at their joints with the model's
 * axes, and a clip whose joints are exact to double precision.
 */
import type { SkeletonTree, SkinningSystem } from '@pelt/kernels';
import { type Bone, type Clip, type MeshSequence, type Rig, TRANSFORM_SIZE } from '@pelt/model';
import { packWeights } from '../shared/pack-weights.ts';
import { restPositions } from '../shared/rest-positions.ts';
import type { PreparedTrajectories } from '../shared/trajectories.ts';
import { boneCentres, type JointedTree } from './joint-tree.ts';

export interface SolvedSkeleton extends JointedTree {
  readonly system: SkinningSystem;
  /** Number of rounds. */
  readonly iterations: number;
  /** m, mirror image of each bone: possibly itself, −1 for none; absent if not computed */
  readonly partners?: Int32Array;
  /** The bones of a given skeleton, whose names and frames are kept; in the order of the system. */
  readonly bones?: readonly Bone[];
}

export interface PackedSkeleton {
  readonly rig: Rig;
  readonly clip: Clip;
  readonly partners: readonly number[] | undefined;
  /** The bone of the solved skeleton that each bone of the rig was. */
  readonly order: readonly number[];
}

/** Names bones by position, in the order of the rig. */
export type NameBones = (skeleton: {
  readonly parents: Int32Array;
  /** m × 3 joints in model space; the root's is its centre */
  readonly origins: Float64Array;
  /** m × 3 centres of the bones' influence, in model space */
  readonly centres: Float64Array;
  /** m, mirror image of each bone: possibly itself, −1 for none */
  readonly partners?: Int32Array;
}) => readonly string[];

/**
 * Packs a solved skeleton. The root is placed in the middle of the joints around it, or at the centre of its influence where
 * there is only one, unless the skeleton was given.
 */
export function skeletonRig(
  sequence: MeshSequence,
  prepared: PreparedTrajectories,
  { system, tree, joints, partners, bones: given }: SolvedSkeleton,
  nameBones: NameBones,
): PackedSkeleton {
  const { m } = system;
  const order = given ? Array.from(given.keys()) : depthFirst(tree);
  const place = new Int32Array(m);
  order.forEach((k, at) => {
    place[k] = at;
  });
  const parents = Int32Array.from(order, (k) => (tree.parents[k] < 0 ? -1 : place[tree.parents[k]]));
  const solverCentres = boneCentres(system);
  const root = rootPlace(tree, joints, solverCentres);
  const origins = new Float64Array(3 * m);
  const centres = new Float64Array(3 * m);
  order.forEach((k, at) => {
    for (let d = 0; d < 3; d++) {
      const inModel = (value: number) => prepared.space.radius * value + prepared.space.centre[d];
      origins[3 * at + d] = given?.[at].rest[4 * d + 3] ?? inModel(at === 0 ? root[d] : joints[3 * k + d]);
      centres[3 * at + d] = inModel(solverCentres[3 * k + d]);
    }
  });
  const images = partners && Int32Array.from(order, (k) => (partners[k] < 0 ? -1 : place[partners[k]]));
  const names = given ? [] : nameBones({ parents, origins, centres, partners: images });
  const bones =
    given ??
    order.map((_, at): Bone => {
      const [x, y, z] = origins.subarray(3 * at, 3 * at + 3);
      return { name: names[at], parent: parents[at], rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z) };
    });
  const rig: Rig = {
    name: sequence.name,
    mesh: { ...sequence.rest, positions: restPositions(sequence, prepared, system) },
    bones,
    weights: packWeights(
      system.boneIndices.view.map((k) => place[k]),
      system.weights.view,
      system.K,
    ),
  };
  const transforms = heldTransforms(prepared.transformsToModel(system.transforms.view, m), order, parents, origins);
  const clip = { name: sequence.name || 'animation', times: sequence.times, transforms };
  return { rig, clip, partners: images && Array.from(images), order };
}

/** The middle of the joints of a root's children; of one child, the centre of the root. */
function rootPlace({ parents, order }: SkeletonTree, joints: Float64Array, centres: Float64Array): number[] {
  const [root] = order;
  const children = Array.from(parents.keys()).filter((k) => parents[k] === root);
  return [0, 1, 2].map((d) => {
    if (children.length < 2) return centres[3 * root + d];
    return children.reduce((sum, k) => sum + joints[3 * k + d], 0) / children.length;
  });
}

/** Depth-first order, so that chains stay together. */
function depthFirst({ parents, order }: SkeletonTree): number[] {
  const children: number[][] = Array.from(parents, () => []);
  for (const k of order.subarray(1)) children[parents[k]].push(k);
  const out: number[] = [];
  const stack = [order[0]];
  for (let k = stack.pop(); k !== undefined; k = stack.pop()) {
    out.push(k);
    stack.push(...children[k].reverse());
  }
  return out;
}

/**
 * Transforms in a new order, with translations recomputed from the joints: T_k = T_p + (R_p − R_k) o_k.
 *
 * @param transforms  S × m × 12, in model space
 * @param order       m, index of the bone at each position
 * @param parents     m, in the new order
 * @param joints      m × 3, in model space and in the new order
 */
function heldTransforms(
  transforms: Float64Array,
  order: readonly number[],
  parents: Int32Array,
  joints: Float64Array,
): Float64Array {
  const m = order.length;
  const out = new Float64Array(transforms.length);
  for (let frame = 0; frame < transforms.length; frame += m * TRANSFORM_SIZE) {
    order.forEach((k, at) => {
      const own = frame + at * TRANSFORM_SIZE;
      out.set(transforms.subarray(frame + k * TRANSFORM_SIZE, frame + (k + 1) * TRANSFORM_SIZE), own);
      if (parents[at] < 0) return;
      const above = frame + parents[at] * TRANSFORM_SIZE;
      for (let row = 0; row < 12; row += 4) {
        let moved = out[above + row + 3];
        for (let e = 0; e < 3; e++) moved += (out[above + row + e] - out[own + row + e]) * joints[3 * at + e];
        out[own + row + 3] = moved;
      }
    });
  }
  return out;
}
