/**
 * Copies of an animation that are the same to a method which depends on the shapes alone: vertices in another order, turned
 * and shifted. What changes from copy to copy is chance.
 */
import { cos, Random, sin } from '@pelt/math';
import { frameCount, gatherVertices, type MeshSequence, vertexCount } from '@pelt/model';

/** Shift relative to the positions' own size is irrelevant: solvers centre their input. In model units. */
const MOST_SHIFT = 0.5;

/** @param k  which copy; 0 is the animation itself */
export function perturbed(sequence: MeshSequence, k: number): MeshSequence {
  if (k === 0) return sequence;
  const random = new Random(k);
  const n = vertexCount(sequence.rest);
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const other = random.integer(i + 1);
    [order[i], order[other]] = [order[other], order[i]];
  }
  const place = new Uint32Array(n);
  order.forEach((i, at) => {
    place[i] = at;
  });
  const angle = random.uniform(0, 2 * Math.PI);
  const [c, s] = [cos(angle), sin(angle)];
  const shift = [0, 1, 2].map(() => random.uniform(-MOST_SHIFT, MOST_SHIFT));
  const moved = (positions: Float32Array) => {
    const out = gatherVertices(positions, 3, order);
    for (let at = 0; at < out.length; at += 3) {
      const [x, z] = [out[at], out[at + 2]];
      out[at] = c * x + s * z + shift[0];
      out[at + 1] += shift[1];
      out[at + 2] = c * z - s * x + shift[2];
    }
    return out;
  };
  const size = 3 * n;
  const frames = new Float32Array(sequence.frames.length);
  for (let t = 0; t < frameCount(sequence); t++) {
    frames.set(moved(sequence.frames.subarray(t * size, (t + 1) * size)), t * size);
  }
  const { name } = sequence.rest;
  const triangles = sequence.rest.triangles.map((i) => place[i]);
  return { ...sequence, rest: { name, positions: moved(sequence.rest.positions), triangles }, frames };
}
