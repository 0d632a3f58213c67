/** Example shapes brought to the vertices of a rig, which is told by what it plays. */
import { enclosingBall, KdTree } from '@pelt/math';
import { type Clip, frameCount, InputError, type MeshSequence, poseAt, type Rig } from '@pelt/model';
import { deformLinear } from '@pelt/skin/blending';
import { byCorners, NOWHERE } from './correspondence.ts';

/**
 * The examples must have vertices where those of the rig rest: root mean square distance in radii, and that of any one. A fit
 * of few bones moves some vertices of its rest pose far.
 */
const SAME_PLACE = 0.03;
const FARTHEST = 0.15;
/** Vertices at the same place but for rounding, in parts of the first distance. */
const EXACT = 1e-4;
/** Vertices at about the same place that are told apart by their motion, and frames that are compared for it. */
const RIVALS = 8;
const COMPARED_FRAMES = 12;

/**
 * The examples with the vertices of the rig.
 *
 * @param shown  what the rig plays, at as many frames
 */
export function matchExamples(examples: MeshSequence, rig: Rig, shown: MeshSequence, label: string): MeshSequence {
  const [own, other] = [rig.mesh.positions, examples.rest.positions];
  const from = matchVertices(examples, shown, label);
  const frames = new Float32Array(shown.frames.length);
  const rest = new Float32Array(own.length);
  for (let i = 0; i < own.length / 3; i++) {
    const k = from[i];
    rest.set(other.subarray(3 * k, 3 * k + 3), 3 * i);
    for (let t = 0; t < frameCount(shown); t++) {
      const at = t * other.length + 3 * k;
      frames.set(examples.frames.subarray(at, at + 3), t * own.length + 3 * i);
    }
  }
  return { ...shown, rest: { ...rig.mesh, positions: rest }, frames };
}

/** What linear blend skinning makes of a clip. */
export function playedSequence({ mesh, weights, bones }: Rig, clip: Clip): MeshSequence {
  const size = mesh.positions.length;
  const frames = new Float32Array(clip.times.length * size);
  for (let t = 0; t < clip.times.length; t++) {
    const { transforms } = poseAt(clip, t, bones.length);
    deformLinear(mesh.positions, weights, transforms, frames.subarray(t * size, (t + 1) * size));
  }
  return { name: clip.name, rest: mesh, frames, times: clip.times };
}

/**
 * For each vertex of a rig the one of the examples that it shows: by the corners of the triangles, where these are the same
 * but for vertices that a file repeats; else by place and motion.
 */
export function matchVertices(examples: MeshSequence, shown: MeshSequence, label: string): Uint32Array {
  const corners = byCorners(shown.rest, examples.rest);
  return corners && !corners.includes(NOWHERE) ? corners : placesOf(examples, shown, label);
}

/**
 * For each vertex of the rig one of the examples. A fit moves the rest pose a little, so that the nearest at rest may be a
 * neighbour: of the nearest few, the one that moves most alike. Where one rests at the very place, no other will do.
 */
function placesOf(examples: MeshSequence, shown: MeshSequence, label: string): Uint32Array {
  const [own, other] = [shown.rest.positions, examples.rest.positions];
  const radius = enclosingBall(own).radius || 1;
  const exactly = EXACT * SAME_PLACE * radius;
  const tree = new KdTree(other);
  const count = Math.min(RIVALS, other.length / 3);
  const [index, distance] = [new Uint32Array(count), new Float64Array(count)];
  const step = Math.max(Math.floor(frameCount(shown) / COMPARED_FRAMES), 1);
  const apart = (i: number, k: number): number => {
    let sum = 0;
    for (let t = 0; t < frameCount(shown); t += step) {
      for (let c = 0; c < 3; c++) {
        sum += (shown.frames[t * own.length + 3 * i + c] - examples.frames[t * other.length + 3 * k + c]) ** 2;
      }
    }
    return sum;
  };
  const mismatch = (i: number) =>
    new InputError(`'${label}' has no vertex where vertex ${i} of the rig rests; give the shapes of the same mesh`);
  if (count === 0 && own.length > 0) throw mismatch(0);
  let squares = 0;
  let [farthest, farthestVertex] = [0, 0];
  const places = Uint32Array.from({ length: own.length / 3 }, (_, i) => {
    tree.nearest(own, 3 * i, count, index, distance);
    squares += distance[0];
    if (distance[0] > farthest) [farthest, farthestVertex] = [distance[0], i];
    const exact = Math.sqrt(distance[0]) <= exactly ? exactly : Number.POSITIVE_INFINITY;
    const rivals = index.filter((_, r) => Math.sqrt(distance[r]) <= exact);
    return rivals.reduce((best, k) => (apart(i, k) < apart(i, best) ? k : best));
  });
  const within = Math.sqrt(squares / Math.max(places.length, 1)) <= SAME_PLACE * radius;
  if (!within || !(Math.sqrt(farthest) <= FARTHEST * radius)) throw mismatch(farthestVertex);
  return places;
}
