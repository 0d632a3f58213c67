/**
 * Which vertex of one animation is which of another, where both show one mesh at the same frames: by their order, by the
 * corners of their triangles, or, where a packer has changed both, by place and motion.
 */
import { enclosingBall, KdTree } from '@pelt/math';
import { frameAt, frameCount, InputError, type Mesh, type MeshSequence, vertexCount } from '@pelt/model';

export interface Correspondence {
  /** Vertex of B for each of A; `NOWHERE` for one that no triangle of A uses, where B has none. */
  readonly places: Uint32Array;
  readonly by: 'order' | 'corners' | 'motion';
}

export const NOWHERE = 0xffffffff;

/** Vertices at about the same place that are told apart by their motion, and frames that are compared for it. */
const RIVALS = 12;
const COMPARED_FRAMES = 24;
/** Frames in which near vertices are looked for: parts that meet in one are apart in another. */
const PROBED_FRAMES = 3;
/** Vertices that correspond are this near to each other, as a share of the radius, root mean square. */
const SAME_PLACE = 0.03;

export function correspond(a: MeshSequence, b: MeshSequence, labels: readonly [string, string]): Correspondence {
  const [na, nb] = [vertexCount(a.rest), vertexCount(b.rest)];
  const inOrder = Uint32Array.from({ length: na }, (_, i) => i);
  if (na === nb && sameTriangles(a.rest, b.rest)) return { places: inOrder, by: 'order' };
  const corners = byCorners(a.rest, b.rest);
  if (corners) return { places: corners, by: 'corners' };
  // The same vertices in other triangles, as of polygons that were cut in another way.
  if (na === nb && rmsDistance(a, b, inOrder) < 0.5 * meanEdge(a.rest)) return { places: inOrder, by: 'order' };
  const places = byMotion(a, b);
  const limit = SAME_PLACE * (enclosingBall(a.rest.positions).radius || 1);
  if (!(rmsDistance(a, b, places) <= limit)) {
    throw new InputError(
      `'${labels[0]}' has ${na} vertices and '${labels[1]}' has ${nb}, and they are not at the same places; ` +
        'only animations of one mesh compare',
    );
  }
  return { places, by: 'motion' };
}

export function sameTriangles(a: Mesh, b: Mesh): boolean {
  const { triangles } = b;
  return a.triangles.length === triangles.length && a.triangles.every((i, k) => i === triangles[k]);
}

/** Triangles in the same order, over vertices that one of the two repeats on seams or for each of its parts. */
export function byCorners(a: Mesh, b: Mesh): Uint32Array | undefined {
  if (a.triangles.length !== b.triangles.length || a.triangles.length === 0) return undefined;
  const places = new Uint32Array(vertexCount(a)).fill(NOWHERE);
  const back = new Uint32Array(vertexCount(b)).fill(NOWHERE);
  let [forwards, backwards] = [true, true];
  a.triangles.forEach((i, k) => {
    const j = b.triangles[k];
    if (places[i] !== NOWHERE && places[i] !== j) forwards = false;
    if (back[j] !== NOWHERE && back[j] !== i) backwards = false;
    if (places[i] === NOWHERE) places[i] = j;
    back[j] = i;
  });
  // A vertex of one may be several of the other, but not both at once.
  return forwards || backwards ? places : undefined;
}

/** For each vertex of A the vertex of B that moves most like it: min Σ_t ‖a_t − b_t‖². */
function byMotion(a: MeshSequence, b: MeshSequence): Uint32Array {
  const S = frameCount(a);
  const [sizeA, sizeB] = [a.rest.positions.length, b.rest.positions.length];
  const count = Math.min(RIVALS, sizeB / 3);
  const [index, distance] = [new Uint32Array(count), new Float64Array(count)];
  const compared = evenly(S, COMPARED_FRAMES);
  const probed = evenly(S, PROBED_FRAMES).map((t) => ({ t, tree: new KdTree(frameAt(b, t).slice()) }));
  return Uint32Array.from({ length: sizeA / 3 }, (_, i) => {
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (const { t, tree } of probed) {
      tree.nearest(frameAt(a, t), 3 * i, count, index, distance);
      for (const j of index) {
        let sum = 0;
        for (let k = 0; k < compared.length && sum < least; k++) {
          const [at, bt] = [compared[k] * sizeA + 3 * i, compared[k] * sizeB + 3 * j];
          for (let c = 0; c < 3; c++) sum += (a.frames[at + c] - b.frames[bt + c]) ** 2;
        }
        if (sum < least) [best, least] = [j, sum];
      }
    }
    return best;
  });
}

function evenly(S: number, most: number): number[] {
  const count = Math.min(S, most);
  return Array.from({ length: count }, (_, k) => Math.floor(((k + 0.5) * S) / count));
}

function rmsDistance(a: MeshSequence, b: MeshSequence, places: Uint32Array): number {
  const [sizeA, sizeB] = [a.rest.positions.length, b.rest.positions.length];
  const frames = evenly(frameCount(a), COMPARED_FRAMES);
  let sum = 0;
  for (const t of frames) {
    for (let i = 0; i < places.length; i++) {
      for (let c = 0; c < 3; c++)
        sum += (a.frames[t * sizeA + 3 * i + c] - b.frames[t * sizeB + 3 * places[i] + c]) ** 2;
    }
  }
  return Math.sqrt(sum / Math.max(frames.length * places.length, 1));
}

function meanEdge({ positions, triangles }: Mesh): number {
  let sum = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const [i, j] = [3 * triangles[k], 3 * triangles[k + 1]];
    sum += Math.hypot(
      positions[i] - positions[j],
      positions[i + 1] - positions[j + 1],
      positions[i + 2] - positions[j + 2],
    );
  }
  return sum / Math.max(triangles.length / 3, 1);
}

/** B with the vertices of A; vertices that correspond to nothing stand where A has them. */
export function inOrderOf(a: MeshSequence, b: MeshSequence, { places, by }: Correspondence): MeshSequence {
  if (by === 'order') return b;
  const [size, other] = [a.rest.positions.length, b.rest.positions.length];
  const gather = (own: Float32Array, from: Float32Array) => {
    const out = own.slice();
    places.forEach((j, i) => {
      if (j !== NOWHERE) out.set(from.subarray(3 * j, 3 * j + 3), 3 * i);
    });
    return out;
  };
  const frames = new Float32Array(frameCount(b) * size);
  for (let t = 0; t < frameCount(b); t++) {
    frames.set(gather(frameAt(a, t), b.frames.subarray(t * other, (t + 1) * other)), t * size);
  }
  return { ...b, rest: { ...a.rest, positions: gather(a.rest.positions, b.rest.positions) }, frames };
}
