/**
 * A clip as curves of the nodes that a file has: with M the transform of a bone from rest to pose, its node must be at
 * W = M I⁻¹ in the world, I the bone's inverse bind matrix. The node's own transform is W_parent⁻¹ W, where W_parent is
 * what the rounded curves above it really give.
 */

import { cbrt } from '@pelt/math';
import { boundsOf, type Clip, diagonalOf } from '@pelt/model';
import { fitTrs } from '../fit-trs.ts';
import { restLocals } from '../node-poses.ts';
import type { GltfAsset, GltfBone } from '../scene.ts';
import {
  composeTrs,
  determinant,
  identityTransform,
  invert,
  isSingular,
  multiply,
  type Transform,
  type Trs,
} from '../transform.ts';

export interface NodeTrack {
  readonly node: number;
  /** Where it rests from now on, of a node that the file gives a matrix: only other nodes can be animated. */
  readonly rest?: Trs;
  /** S × 3 or S × 4; absent where a curve stays as at rest */
  readonly translation?: Float32Array<ArrayBuffer>;
  readonly rotation?: Float32Array<ArrayBuffer>;
  readonly scale?: Float32Array<ArrayBuffer>;
}

export interface NodeTracks {
  readonly tracks: readonly NodeTrack[];
  /** Largest distance of a bone's transform from the one wanted: in its linear part, or of its origin over the size. */
  readonly lost: number;
}

/** What moves no vertex by more than this, against the model's size, counts as no motion. */
const MOTIONLESS = 1e-7;
/** A matrix this near to a translation, rotation and scale is one. */
const EXACT = 1e-6;

/** @param clip  over all bones of the asset */
export function trackNodes({ scene, mesh }: GltfAsset, clip: Clip): NodeTracks {
  const { nodes, order, bones } = scene;
  const S = clip.times.length;
  const size = diagonalOf(boundsOf(mesh.positions)) || 1;
  const locals = restLocals(nodes);
  const moved = movedNodes(scene, locals);
  const worlds = nodes.map(() => new Float64Array(12));
  const values = new Map([...moved].map(([node]) => [node, emptyTrack(S)]));
  const last = new Map([...moved].map(([node, { trs }]) => [node, trs.rotation]));
  let lost = 0;
  const [local, inverse] = [new Float64Array(12), new Float64Array(12)];
  const none = identityTransform();
  for (let t = 0; t < S; t++) {
    const wanted = (j: number) =>
      clip.transforms.subarray(12 * (bones.length * t + j), 12 * (bones.length * t + j + 1));
    for (const node of order) {
      const { parent } = nodes[node];
      const above = parent < 0 ? none : worlds[parent];
      const own = moved.get(node);
      if (!own || isSingular(above)) {
        multiply(above, locals[node], worlds[node]);
        continue;
      }
      multiply(wanted(own.bone), own.bind, local);
      multiply(invert(above, inverse), local, local);
      const trs = rounded(fitTrs(local, last.get(node) as Float64Array));
      last.set(node, trs.rotation);
      const track = values.get(node) as ReturnType<typeof emptyTrack>;
      track.translation.set(trs.translation, 3 * t);
      track.rotation.set(trs.rotation, 4 * t);
      track.scale.set(trs.scale, 3 * t);
      multiply(above, composeTrs(trs, local), worlds[node]);
    }
    bones.forEach((bone, j) => {
      lost = Math.max(lost, difference(multiply(worlds[bone.node], bone.inverseRest, local), wanted(j), bone, size));
    });
  }
  const tracks = [...moved].map(([node, { trs, fixed }]): NodeTrack => {
    const parent = nodes[node].parent;
    const scale = parent < 0 ? 1 : cbrt(Math.abs(determinant(worlds[parent]))) || 1;
    const own = values.get(node) as ReturnType<typeof emptyTrack>;
    const moves = (key: 'translation' | 'rotation' | 'scale', limit: number) => {
      const still = trs[key];
      return own[key].some((value, k) => !(Math.abs(value - still[k % still.length]) <= limit));
    };
    return {
      node,
      ...(fixed && { rest: trs }),
      ...(moves('translation', (MOTIONLESS * size) / scale) && { translation: own.translation }),
      ...(moves('rotation', MOTIONLESS) && { rotation: own.rotation }),
      ...(moves('scale', MOTIONLESS * Math.max(...trs.scale.map(Math.abs))) && { scale: own.scale }),
    };
  });
  return { tracks: tracks.filter(({ translation, rotation, scale }) => translation ?? rotation ?? scale), lost };
}

interface MovedNode {
  /** The bone that says where the node is: of several, the first. */
  readonly bone: number;
  /** I⁻¹ */
  readonly bind: Transform;
  readonly trs: Trs;
  /** Whether the file gives a matrix in place of it. */
  readonly fixed: boolean;
}

/** Nodes that curves can move: those of bones, unless something is flattened or sheared. */
function movedNodes({ nodes, bones }: GltfAsset['scene'], locals: readonly Transform[]): Map<number, MovedNode> {
  const moved = new Map<number, MovedNode>();
  bones.forEach(({ node, inverseRest }, bone) => {
    if (moved.has(node) || isSingular(inverseRest)) return;
    const { matrix, trs: given } = nodes[node];
    const trs = matrix ? fitTrs(matrix, given.rotation) : given;
    const back = composeTrs(trs, new Float64Array(12));
    const size = Math.max(...locals[node].map(Math.abs));
    if (back.some((value, k) => Math.abs(value - locals[node][k]) > EXACT * size)) return;
    moved.set(node, { bone, bind: invert(inverseRest, new Float64Array(12)), trs, fixed: matrix !== undefined });
  });
  return moved;
}

function emptyTrack(S: number) {
  return { translation: new Float32Array(3 * S), rotation: new Float32Array(4 * S), scale: new Float32Array(3 * S) };
}

function rounded({ translation, rotation, scale }: Trs): Trs {
  const round = (values: Float64Array) => values.map(Math.fround);
  return { translation: round(translation), rotation: round(rotation), scale: round(scale) };
}

function difference(a: Transform, b: Transform, { rest }: GltfBone, size: number): number {
  let most = 0;
  const shift = [0, 0, 0];
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 4; c++) {
      const delta = a[4 * r + c] - b[4 * r + c];
      shift[r] += delta * (c < 3 ? rest[4 * c + 3] : 1);
      if (c < 3) most = Math.max(most, Math.abs(delta));
    }
  }
  return Math.max(most, Math.hypot(...shift) / size);
}
