/** How far a rig is from the animation that it plays, over frames and over vertices. */
import { enclosingBall } from '@pelt/math';
import { boundsOf, diagonalOf, frameAt, frameCount, type MeshSequence, poseAt, vertexCount } from '@pelt/model';
import { deformLinear } from '@pelt/skin/blending';
import type { Played } from '../store/library.ts';
import type { Measured } from './protocol.ts';

/** Distances that quantiles are taken from, at most. */
const MOST_SAMPLES = 400_000;

/** Errors on the vertices of the animation; those that the file repeats along seams count once. */
export function measure(
  sequence: MeshSequence,
  { rig, clip, vertices, learnt }: Played,
): Pick<Measured, 'frameErrors' | 'spread'> {
  const [n, S] = [vertexCount(sequence.rest), frameCount(sequence)];
  const radius = enclosingBall(sequence.rest.positions).radius || 1;
  const diagonal = diagonalOf(boundsOf(sequence.rest.positions)) || 1;
  const first = firstUses(vertices, n);
  const stride = Math.max(1, Math.ceil((first.length * S) / MOST_SAMPLES));
  const samples = new Float32Array(Math.ceil((first.length * S) / stride));
  const size = rig.mesh.positions.length;
  const blended = new Float32Array(size);
  const frameErrors: number[] = [];
  let [seen, kept] = [0, 0];
  for (let t = 0; t < S; t++) {
    const posed = learnt?.subarray(t * size, (t + 1) * size) ?? blended;
    if (!learnt) deformLinear(rig.mesh.positions, rig.weights, poseAt(clip, t, rig.bones.length).transforms, blended);
    const truth = frameAt(sequence, t);
    let sum = 0;
    for (const i of first) {
      const k = 3 * vertices[i];
      const squared =
        (posed[3 * i] - truth[k]) ** 2 +
        (posed[3 * i + 1] - truth[k + 1]) ** 2 +
        (posed[3 * i + 2] - truth[k + 2]) ** 2;
      sum += squared;
      if (seen++ % stride === 0) samples[kept++] = Math.sqrt(squared) / diagonal;
    }
    frameErrors.push((1000 * Math.sqrt(sum / (3 * Math.max(1, first.length)))) / radius);
  }
  const sorted = samples.subarray(0, kept).sort();
  const quantile = (q: number) => sorted[Math.min(kept - 1, Math.floor(q * kept))] ?? 0;
  return { frameErrors, spread: { median: quantile(0.5), p95: quantile(0.95), p999: quantile(0.999) } };
}

function firstUses(vertices: Uint32Array, n: number): Uint32Array {
  const used = new Uint8Array(n);
  return Uint32Array.from(vertices.keys()).filter((i) => {
    if (used[vertices[i]]) return false;
    used[vertices[i]] = 1;
    return true;
  });
}
