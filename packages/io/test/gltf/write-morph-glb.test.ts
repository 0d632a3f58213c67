import { Random } from '@pelt/math';
import { frameAt, gatherVertices, type MeshSequence, uniformTimes } from '@pelt/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bakeSequence, readGltf, writeMorphGlb } from '../../src/index.ts';
import { jsonOf } from './glb-json.ts';
import { richSheet, sheet } from './models.ts';
import { largestDeviation, ThreePlayer } from './three-player.ts';
import { complaintsAbout } from './validate-glb.ts';

function wobble(frames: number, seed = 1, rest = sheet(), amount = 0.2): MeshSequence {
  const random = new Random(seed);
  const size = rest.positions.length;
  const positions = Float32Array.from(
    { length: frames * size },
    (_, k) => rest.positions[k % size] + amount * random.normal(),
  );
  return { name: 'wobble', rest, frames: positions, times: uniformTimes(frames, 30) };
}

async function roundTrip(sequence: MeshSequence) {
  const file = await writeMorphGlb(sequence);
  expect(await complaintsAbout(file.bytes)).toEqual([]);
  return { ...file, back: bakeSequence(await readGltf(file.bytes)) };
}

it('keeps a sequence at rest, with its length', async () => {
  const rest = sheet();
  const still = {
    ...wobble(3),
    rest,
    frames: Float32Array.from([...rest.positions, ...rest.positions, ...rest.positions]),
  };
  const { back } = await roundTrip(still);
  expect(back.frames).toEqual(still.frames);
  expect(back.times.length).toBe(3);
});

it('has one frame', async () => {
  const one = wobble(1);
  const { back } = await roundTrip(one);
  expect(largestDeviation(one.frames, back.frames)).toBeLessThan(1e-7);
});

it('gives its frames back, for any sequence and size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0 }),
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom(1e-6, 1, 1e6),
      async (seed, S, scale) => {
        const sequence = wobble(S, seed, sheet(4, 3, seed, scale), 0.3 * scale);
        const { back } = await roundTrip(sequence);
        expect(back.rest.positions).toEqual(sequence.rest.positions);
        expect(largestDeviation(sequence.frames, back.frames)).toBeLessThan(2e-7);
        back.times.forEach((time, t) => {
          expect(time).toBeCloseTo(sequence.times[t], 6);
        });
      },
    ),
    { numRuns: 25 },
  );
});

it('is played by three.js, at frames and half-way between them', async () => {
  const sequence = wobble(5, 2, richSheet());
  const { bytes, vertexMap } = await roundTrip(sequence);
  const player = await ThreePlayer.load(bytes);
  expect(player.clipNames).toEqual(['wobble']);
  // Two parts, each with the vertices that it uses.
  const inParts = (positions: Float32Array) => gatherVertices(positions, 3, vertexMap);
  for (let t = 0; t < 5; t++) {
    expect(largestDeviation(inParts(frameAt(sequence, t)), player.positionsAt(0, sequence.times[t]))).toBeLessThan(
      1e-5,
    );
  }
  const half = frameAt(sequence, 1).map((value, k) => 0.5 * (value + frameAt(sequence, 2)[k]));
  const between = player.positionsAt(0, 0.5 * (sequence.times[1] + sequence.times[2]));
  expect(largestDeviation(inParts(half), between)).toBeLessThan(1e-5);
});

describe('size', () => {
  const targetsOf = (bytes: Uint8Array) => jsonOf(bytes).meshes[0].primitives[0].targets;

  it('does not grow by frames that were there before', async () => {
    const once = wobble(4);
    const frames = new Float32Array(2 * once.frames.length);
    frames.set(once.frames);
    frames.set(once.frames, once.frames.length);
    const { bytes, back } = await roundTrip({ ...once, frames, times: uniformTimes(8, 30) });
    expect(targetsOf(bytes)).toHaveLength(4);
    expect(back.times.length).toBe(8);
    expect(largestDeviation(frames, back.frames)).toBeLessThan(1e-7);
  });

  it('does not grow by vertices that stay', async () => {
    const rest = sheet(20, 20);
    const frames = Float32Array.from([...rest.positions, ...rest.positions]);
    frames[rest.positions.length + 7] += 1;
    const { bytes, back } = await roundTrip({ name: 'poke', rest, frames, times: uniformTimes(2, 30) });
    expect(targetsOf(bytes)).toHaveLength(1);
    expect(jsonOf(bytes).accessors[targetsOf(bytes)[0].POSITION].sparse.count).toBe(1);
    expect(largestDeviation(frames, back.frames)).toBeLessThan(1e-7);
  });
});

describe('normals', () => {
  it('turn with the surface, or stay if told to', async () => {
    const sequence = wobble(3, 4, richSheet());
    const both = jsonOf((await roundTrip(sequence)).bytes).meshes[0].primitives[0].targets;
    expect(Object.keys(both[0])).toEqual(['POSITION', 'NORMAL']);
    const { bytes } = await writeMorphGlb(sequence, { morphNormals: false });
    expect(await complaintsAbout(bytes)).toEqual([]);
    expect(Object.keys(jsonOf(bytes).meshes[0].primitives[0].targets[0])).toEqual(['POSITION']);
  });

  it('are those of the turned surface', async () => {
    // A square in the xy plane, turned to face x.
    const rest = {
      ...sheet(2, 2),
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0),
      normals: { size: 3 as const, values: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1) },
    };
    const frames = Float32Array.of(0, 0, 0, 0, 0, -1, 0, 1, 0, 0, 1, -1);
    const { bytes } = await writeMorphGlb({ name: 'turn', rest, frames, times: uniformTimes(1, 30) });
    const player = await ThreePlayer.load(bytes);
    const geometry = (player.scene.children[0] as import('three').Mesh).geometry;
    const delta = geometry.morphAttributes.normal?.[0].array ?? [];
    expect([...delta.slice(0, 3)].map((value) => Math.round(1e6 * value) / 1e6)).toEqual([1, 0, -1]);
  });
});

it('says which frames are too near in time', async () => {
  const sequence = { ...wobble(2), times: Float64Array.of(100000, 100000.000001) };
  await expect(writeMorphGlb(sequence)).rejects.toThrow("clip 'wobble': frames 0 and 1");
});
