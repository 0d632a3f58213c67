import { openNumerics, Random } from '@pelt/math';
import { gatherVertices, type MeshSequence, weldSequence } from '@pelt/model';
import { chainScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { decompose } from '../../src/decompose/decompose.ts';
import { inVertexOrder } from '../../src/shared/vertex-order.ts';
import { extractSkeleton } from '../../src/skeleton/extract-skeleton.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

/** The sequence with vertex k from vertex order[k], its triangles shuffled and turned; and where each vertex went. */
function permuted(
  { rest, frames, ...other }: MeshSequence,
  seed: number,
): { sequence: MeshSequence; order: Uint32Array } {
  const random = new Random(seed);
  const n = rest.positions.length / 3;
  const shuffle = (count: number) => {
    const order = Uint32Array.from({ length: count }, (_, k) => k);
    for (let k = count - 1; k > 0; k--) {
      const other = Math.floor(random.uniform() * (k + 1));
      [order[k], order[other]] = [order[other], order[k]];
    }
    return order;
  };
  const order = shuffle(n);
  const place = new Uint32Array(n);
  order.forEach((i, k) => {
    place[i] = k;
  });
  const triangles = [...shuffle(rest.triangles.length / 3)].flatMap((f) => {
    const turn = Math.floor(3 * random.uniform());
    return [0, 1, 2].map((c) => place[rest.triangles[3 * f + ((c + turn) % 3)]]);
  });
  const moved = new Float32Array(frames.length);
  for (let at = 0; at < frames.length; at += 3 * n)
    moved.set(gatherVertices(frames.subarray(at, at + 3 * n), 3, order), at);
  const positions = gatherVertices(rest.positions, 3, order);
  const mesh = { name: rest.name, positions, triangles: Uint32Array.from(triangles) };
  return { sequence: { ...other, rest: mesh, frames: moved }, order };
}

describe('inVertexOrder', () => {
  const { sequence } = chainScene({ joints: ['hinge', 'ball'] });

  it('gives the same sequence to the last bit for any order of vertices and triangles', () => {
    const plain = inVertexOrder(weldSequence(sequence));
    for (const seed of [1, 2, 3]) {
      const other = inVertexOrder(weldSequence(permuted(sequence, seed).sequence));
      expect(other.sequence.rest.positions).toEqual(plain.sequence.rest.positions);
      expect(other.sequence.rest.triangles).toEqual(plain.sequence.rest.triangles);
      expect(other.sequence.frames).toEqual(plain.sequence.frames);
    }
  });

  it('says where every vertex went, and where it came from', () => {
    const { sequence: ordered, map, first } = inVertexOrder(weldSequence(sequence));
    expect([...map].sort((a, b) => a - b)).toEqual(Array.from(map.keys()));
    expect(gatherVertices(ordered.rest.positions, 3, map)).toEqual(sequence.rest.positions);
    expect(gatherVertices(sequence.rest.positions, 3, first)).toEqual(ordered.rest.positions);
  });

  it('keeps the surface and its orientation', () => {
    const { sequence: ordered, map } = inVertexOrder(weldSequence(sequence));
    const key = (corners: number[]) => {
      const least = corners.indexOf(Math.min(...corners));
      return [0, 1, 2].map((c) => corners[(least + c) % 3]).join(' ');
    };
    const all = (triangles: Uint32Array, name: (i: number) => number) =>
      Array.from({ length: triangles.length / 3 }, (_, f) =>
        key([0, 1, 2].map((c) => name(triangles[3 * f + c]))),
      ).sort();
    expect(all(ordered.rest.triangles, (i) => i)).toEqual(all(sequence.rest.triangles, (i) => map[i]));
  });

  it('orders vertices that coincide at rest by how they move, and a single vertex', () => {
    const rest = { name: '', positions: new Float32Array(6), triangles: new Uint32Array(0) };
    const both = { name: '', rest, times: Float64Array.of(0), frames: Float32Array.of(2, 0, 0, 1, 0, 0) };
    const { sequence: ordered } = inVertexOrder(weldSequence(both));
    const swapped = { ...both, frames: Float32Array.of(1, 0, 0, 2, 0, 0) };
    expect(inVertexOrder(weldSequence(swapped)).sequence.frames).toEqual(ordered.frames);
    const one = { ...both, rest: { ...rest, positions: Float32Array.of(1, 2, 3) }, frames: Float32Array.of(4, 5, 6) };
    expect(inVertexOrder(weldSequence(one)).sequence.frames).toEqual(one.frames);
  });
});

describe('on another order of the vertices', () => {
  it('extractSkeleton gives the same skeleton, and each vertex the same weights', () => {
    const { sequence } = chainScene({ joints: ['hinge', 'ball'] });
    const plain = extractSkeleton(sequence, { bones: 3, rounds: 10 }, { numerics });
    const { sequence: other, order } = permuted(sequence, 5);
    const again = extractSkeleton(other, { bones: 3, rounds: 10 }, { numerics });
    expect(again.rig.bones).toEqual(plain.rig.bones);
    expect(again.clip.transforms).toEqual(plain.clip.transforms);
    const { slots, weights } = plain.rig.weights;
    expect(again.rig.weights.weights).toEqual(gatherVertices(weights, slots, order));
  });

  it('decompose gives the same bones, and each vertex the same weights', () => {
    const { sequence } = chainScene({ joints: ['hinge', 'ball'] });
    const options = { bones: 4, restPose: 'keep' } as const;
    const plain = decompose(sequence, options, { numerics });
    const { sequence: other, order } = permuted(sequence, 7);
    const again = decompose(other, options, { numerics });
    expect(again.clip.transforms).toEqual(plain.clip.transforms);
    const { slots, weights, bones } = plain.rig.weights;
    expect(again.rig.weights.weights).toEqual(gatherVertices(weights, slots, order));
    expect(again.rig.weights.bones).toEqual(gatherVertices(bones, slots, order));
    expect(again.rig.mesh.positions).toEqual(other.rest.positions);
  });
});
