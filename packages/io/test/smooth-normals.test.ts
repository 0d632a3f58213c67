import { Random } from '@pelt/math';
import { it } from 'vitest';
import { smoothNormals, unitVectors } from '../src/smooth-normals.ts';
import { expectClose } from './gltf/expect-close.ts';
import { affine, apply, rotation, sheet } from './gltf/models.ts';

const turned = (r: Float64Array, vectors: Float32Array): Float32Array => {
  const out = new Float32Array(vectors.length);
  for (let k = 0; k < vectors.length; k += 3) out.set(apply(affine(r, [0, 0, 0]), [...vectors.subarray(k, k + 3)]), k);
  return out;
};

it('point away from a counter-clockwise triangle', () => {
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
  expectClose(smoothNormals(positions, Uint32Array.of(0, 1, 2)), [0, 0, 1, 0, 0, 1, 0, 0, 1]);
  expectClose(smoothNormals(positions, Uint32Array.of(0, 2, 1)), [0, 0, -1, 0, 0, -1, 0, 0, -1]);
});

it('weigh triangles by their area', () => {
  // One triangle of area 1/2 facing z, one of area 1 facing x, on one corner.
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1);
  const [x, y, z] = smoothNormals(positions, Uint32Array.of(0, 1, 2, 0, 3, 4));
  expectClose([x / z, y], [2, 0]);
});

it('turn with the surface', () => {
  const { positions, triangles } = sheet();
  const r = rotation(new Random(4));
  expectClose(smoothNormals(turned(r, positions), triangles), turned(r, smoothNormals(positions, triangles)));
});

it('have a direction even where there is no area', () => {
  expectClose(smoothNormals(new Float32Array(9), Uint32Array.of(0, 1, 2)), [0, 0, 1, 0, 0, 1, 0, 0, 1]);
  expectClose(unitVectors(Float32Array.of(0, 3, 4, 0, 0, 0)), [0, 0.6, 0.8, 0, 0, 1]);
});
