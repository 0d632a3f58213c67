import {
  determinant,
  type GltfAsset,
  type GltfScene,
  ScenePose,
  sampleTimes,
  TWO_LAYER_EXTENSION,
} from '@pelt/io/internal';
import { cbrt } from '@pelt/math';
import { boundsOf, diagonalOf, vertexCount } from '@pelt/model';

/**
 * What errors of a file's numbers move: the sum over all vertices of the squared distance, as a mean over poses of all
 * clips, for an error of one in each number.
 *
 * A small turn θ of a node moves a vertex by W θ × (v − o), where W is the weight of all bones at and below the node and
 * o is where it stands; a shift moves it by W, in the parent's units. Errors of different numbers are independent, so
 * that their squares add up.
 */
export interface SurfaceModel {
  readonly vertices: number;
  /** Diagonal of the box around the rest pose. */
  readonly size: number;
  /** For each node Σ W²‖v − o‖² */
  readonly turns: Float64Array;
  /** For each node Σ W² s², s the scale of what is above it */
  readonly shifts: Float64Array;
  /** For each animation the number of its frames. */
  readonly frames: readonly number[];
  /** Bones in the sampled poses, poses × m × 12 */
  readonly poses: Float64Array;
  readonly poseCount: number;
}

const SAMPLED_POSES = 12;
const SAMPLED_VERTICES = 4096;
/**
 * A node that moves no vertex may carry something at run time, a sword or a camera. It counts as this share of the
 * surface, at this share of the model's size from the node.
 */
const [CARRIED_SHARE, CARRIED_DISTANCE] = [0.01, 0.05];
/** Masters of two layers move no vertex in a plain viewer, but all of them where the layers are played. */
const MASTER_SHARE = 0.2;

/** @param played  P × m × 12, further poses of the bones */
export function surfaceModel(asset: GltfAsset, played: Float64Array = new Float64Array(0)): SurfaceModel {
  const { scene, mesh, animations } = asset;
  const n = vertexCount(mesh);
  const nodes = scene.nodes.length;
  const size = diagonalOf(boundsOf(mesh.positions)) || 1;
  const moments = animations.map((animation) => sampleTimes(scene, animation, undefined));
  const turns = new Float64Array(nodes);
  const shifts = new Float64Array(nodes);
  const chosen = spread(moments.map(({ length }) => length));
  const poseCount = Math.max(chosen.length, 1);
  const poses = new Float64Array(poseCount * 12 * scene.bones.length);
  const shares = new NodeShares(scene);
  const step = Math.max(Math.floor(n / SAMPLED_VERTICES), 1);
  for (let p = 0; p < poseCount; p++) {
    const pose = new ScenePose(scene);
    if (chosen[p]) pose.setTime(animations[chosen[p].clip], moments[chosen[p].clip][chosen[p].frame]);
    const bones = poses.subarray(p * 12 * scene.bones.length, (p + 1) * 12 * scene.bones.length);
    pose.boneTransforms(bones);
    const scales = scene.nodes.map(({ parent }) => (parent < 0 ? 1 : cbrt(Math.abs(determinant(pose.world(parent))))));
    for (let i = 0; i < n; i += step) {
      const [x, y, z] = blended(mesh.positions, scene.weights, i, bones);
      shares.of(i, (node, share) => {
        const world = pose.world(node);
        const away = (x - world[3]) ** 2 + (y - world[7]) ** 2 + (z - world[11]) ** 2;
        turns[node] += share * share * away;
        shifts[node] += (share * scales[node]) ** 2;
      });
    }
  }
  const weight = n / (Math.ceil(n / step) * poseCount);
  const layered = asset.extensions.some(({ name }) => name === TWO_LAYER_EXTENSION);
  const carried = n * (layered ? MASTER_SHARE : CARRIED_SHARE);
  return {
    vertices: n,
    size,
    turns: turns.map((sum) => sum * weight || carried * (CARRIED_DISTANCE * size) ** 2),
    shifts: shifts.map((sum) => sum * weight || carried),
    frames: moments.map(({ length }) => length),
    poses: joined(poses, played),
    poseCount: poseCount + played.length / (12 * scene.bones.length || 1),
  };
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

/** Frames at even distances in all clips behind each other. */
function spread(lengths: readonly number[]): { clip: number; frame: number }[] {
  const all = lengths.flatMap((length, clip) => Array.from({ length }, (_, frame) => ({ clip, frame })));
  const count = Math.min(all.length, SAMPLED_POSES);
  return Array.from({ length: count }, (_, k) => all[Math.floor(((k + 0.5) * all.length) / count)]);
}

/** How much of a vertex hangs on each node. */
class NodeShares {
  readonly #scene: GltfScene;
  readonly #shares: Float64Array;

  constructor(scene: GltfScene) {
    this.#scene = scene;
    this.#shares = new Float64Array(scene.nodes.length);
  }

  of(i: number, take: (node: number, share: number) => void): void {
    const { nodes, bones, weights } = this.#scene;
    const touched: number[] = [];
    for (let s = i * weights.slots; s < (i + 1) * weights.slots; s++) {
      if (weights.weights[s] === 0) break;
      for (let node = bones[weights.bones[s]].node; node >= 0; node = nodes[node].parent) {
        if (this.#shares[node] === 0) touched.push(node);
        this.#shares[node] += weights.weights[s];
      }
    }
    for (const node of touched) {
      take(node, this.#shares[node]);
      this.#shares[node] = 0;
    }
  }
}

function blended(
  positions: Float32Array,
  { slots, bones, weights }: GltfScene['weights'],
  i: number,
  transforms: Float64Array,
): [number, number, number] {
  const [px, py, pz] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
  const out: [number, number, number] = [0, 0, 0];
  for (let s = i * slots; s < (i + 1) * slots; s++) {
    const w = weights[s];
    const b = 12 * bones[s];
    for (let r = 0; r < 3; r++) {
      const at = b + 4 * r;
      out[r] += w * (transforms[at] * px + transforms[at + 1] * py + transforms[at + 2] * pz + transforms[at + 3]);
    }
  }
  return out;
}
