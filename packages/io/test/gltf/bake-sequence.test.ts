import { UsageError, validateMeshSequence } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { bakeSequence, readGltf } from '../../src/index.ts';
import { FileBuilder, TRIANGLE } from './file-builder.ts';
import type { Json } from './glb-json.ts';
import { largestDeviation, ThreePlayer } from './three-player.ts';

const BOUNDS = { min: [0, 0, 0], max: [1, 1, 0] };

/** A triangle on a node under another. */
function arm(): FileBuilder {
  const builder = new FileBuilder();
  const position = builder.floats('VEC3', TRIANGLE, BOUNDS);
  const child = builder.node(
    { mesh: builder.mesh({ attributes: { POSITION: position } }), translation: [1, 0, 0] },
    false,
  );
  builder.node({ children: [child], name: 'shoulder' });
  return builder;
}

function animate(
  builder: FileBuilder,
  name: string,
  channels: [node: number, path: string, times: number[], values: number[], interpolation?: string][],
) {
  const samplers: Json[] = [];
  const list: Json[] = [];
  for (const [node, path, times, values, interpolation] of channels) {
    const type = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3';
    const input = builder.floats('SCALAR', times, { min: [times[0]], max: [times[times.length - 1]] });
    samplers.push({ input, output: builder.floats(type, values), ...(interpolation && { interpolation }) });
    list.push({ sampler: samplers.length - 1, target: { node, path } });
  }
  builder.list('animations', { name, samplers, channels: list });
}

async function sequenceOf(builder: FileBuilder, options = {}) {
  const asset = await readGltf(builder.glb(), { name: 'made.glb' });
  const sequence = bakeSequence(asset, options);
  validateMeshSequence(sequence);
  return { asset, sequence };
}

const HALF_TURN = [0, 0, 1, 0];
const UNTURNED = [0, 0, 0, 1];

describe('time', () => {
  it('is what is asked for, counted from the first key', async () => {
    const builder = arm();
    animate(builder, 'a', [[0, 'translation', [1, 3], [0, 0, 0, 4, 0, 0]]]);
    const { sequence } = await sequenceOf(builder, { times: [0, 0.25, 2] });
    expect([...sequence.times]).toEqual([0, 0.25, 2]);
    expect([0, 1, 2].map((t) => sequence.frames[9 * t])).toEqual([0, 0.5, 4]);
  });

  it('stands still in a file without animations', async () => {
    const { sequence, asset } = await sequenceOf(arm());
    expect([...sequence.times]).toEqual([0]);
    expect(sequence.frames).toEqual(asset.mesh.positions);
    expect([...sequence.frames.subarray(0, 3)]).toEqual([1, 0, 0]);
  });

  it('has the keys of all channels, from 0 on', async () => {
    const builder = arm();
    animate(builder, 'a', [
      [0, 'translation', [1, 2, 4], [1, 0, 0, 2, 0, 0, 3, 0, 0]],
      [1, 'rotation', [2.5, 4.0000005], [...UNTURNED, ...HALF_TURN]],
    ]);
    const { sequence } = await sequenceOf(builder);
    expect([...sequence.times].map((time) => Math.round(1e4 * time) / 1e4)).toEqual([0, 1, 1.5, 3]);
    expect(sequence.name).toBe('a');
  });

  it('is even at a rate, from the first key to the last', async () => {
    const builder = arm();
    animate(builder, 'a', [[0, 'translation', [1, 3], [0, 0, 0, 4, 0, 0]]]);
    const { sequence } = await sequenceOf(builder, { fps: 2 });
    expect([...sequence.times]).toEqual([0, 0.5, 1, 1.5, 2]);
    // The first vertex, at the node's origin.
    expect([0, 1, 2, 3, 4].map((t) => sequence.frames[9 * t])).toEqual([0, 1, 2, 3, 4]);
    // 0.7 s fits twice into 2 s.
    expect((await sequenceOf(builder, { fps: 1 / 0.7 })).sequence.times).toHaveLength(3);
  });

  it('is not asked of nodes that move nothing', async () => {
    const builder = arm();
    const camera = builder.node({ name: 'camera' });
    animate(builder, 'a', [
      [camera, 'translation', [0, 0.1, 0.2], [0, 0, 0, 0, 0, 0, 0, 0, 0]],
      [0, 'translation', [0, 1], [0, 0, 0, 1, 0, 0]],
    ]);
    animate(builder, 'b', [[camera, 'translation', [0, 0.1, 0.2], [0, 0, 0, 0, 0, 0, 0, 0, 0]]]);
    expect((await sequenceOf(builder)).sequence.times).toHaveLength(2);
    expect((await sequenceOf(builder, { clip: 'b' })).sequence.times).toHaveLength(1);
  });

  it('cannot run at no rate, or at a mad one', async () => {
    const builder = arm();
    animate(builder, 'a', [[0, 'translation', [0, 1], [0, 0, 0, 1, 0, 0]]]);
    const asset = await readGltf(builder.glb());
    for (const fps of [0, -1, Number.NaN, 1e12]) expect(() => bakeSequence(asset, { fps })).toThrow(UsageError);
  });
});

describe('clips', () => {
  it('are chosen by name or by number', async () => {
    const builder = arm();
    animate(builder, 'walk', [[0, 'translation', [0], [5, 0, 0]]]);
    animate(builder, 'run', [[0, 'translation', [0], [7, 0, 0]]]);
    for (const [clip, x] of [
      [0, 5],
      ['run', 7],
      [1, 7],
      [undefined, 5],
    ]) {
      expect((await sequenceOf(builder, { clip })).sequence.frames[0]).toBe(x);
    }
    const asset = await readGltf(builder.glb());
    expect(() => bakeSequence(asset, { clip: 'swim' })).toThrow(
      new UsageError("there is no clip 'swim'; the file has walk, run"),
    );
    expect(() => bakeSequence(asset, { clip: 2 })).toThrow(UsageError);
    const still = await readGltf(arm().glb());
    expect(() => bakeSequence(still, { clip: 0 })).toThrow("there is no clip '0'; the file has none");
  });
});

describe('three.js plays the same', () => {
  const TIMES = [0, 0.5, 2];
  const values = (size: number, count = 3) => Array.from({ length: size * count }, (_, k) => Math.sin(7 * k) + 1.5);

  for (const interpolation of ['LINEAR', 'STEP', 'CUBICSPLINE']) {
    it(`with ${interpolation} keys`, async () => {
      const keys = interpolation === 'CUBICSPLINE' ? 9 : 3;
      const builder = arm();
      animate(builder, 'a', [
        [0, 'translation', TIMES, values(3, keys), interpolation],
        [
          1,
          'rotation',
          TIMES,
          values(4, keys).map((value, k, all) => value / Math.hypot(...all.slice(4 * (k >> 2), 4 * (k >> 2) + 4))),
          interpolation,
        ],
        [1, 'scale', TIMES, values(3, keys), interpolation],
      ]);
      const player = await ThreePlayer.load(builder.glb());
      for (const fps of [undefined, 7]) {
        const { sequence } = await sequenceOf(builder, { fps });
        sequence.times.forEach((time, t) => {
          const frame = sequence.frames.subarray(9 * t, 9 * t + 9);
          expect(largestDeviation(player.positionsAt(0, time), frame)).toBeLessThan(1e-5);
        });
      }
    });

    it(`with morph targets that are ${interpolation}`, async () => {
      const builder = new FileBuilder();
      const POSITION = builder.floats('VEC3', TRIANGLE, BOUNDS);
      const targets = [
        { POSITION: builder.floats('VEC3', [0, 0, 1, 0, 0, 2, 0, 0, 3], { min: [0, 0, 1], max: [0, 0, 3] }) },
        { POSITION: builder.floats('VEC3', [1, 0, 0, 0, 0, 0, 0, 5, 0], { min: [0, 0, 0], max: [1, 5, 0] }) },
      ];
      const mesh = builder.mesh({ attributes: { POSITION }, targets }, { weights: [0.5, 0.25] });
      builder.node({ mesh, scale: [1, 2, 3], rotation: [0, 0.6, 0, 0.8] });
      const keys = interpolation === 'CUBICSPLINE' ? 9 : 3;
      animate(builder, 'a', [[0, 'weights', TIMES, values(2, keys), interpolation]]);
      const player = await ThreePlayer.load(builder.glb());
      const { sequence, asset } = await sequenceOf(builder, { fps: 7 });
      sequence.times.forEach((time, t) => {
        const frame = sequence.frames.subarray(9 * t, 9 * t + 9);
        expect(largestDeviation(player.positionsAt(0, time), frame)).toBeLessThan(1e-5);
      });
      // The rest pose has the weights that the mesh has when nothing is played.
      delete builder.json.animations;
      const still = await ThreePlayer.load(builder.glb());
      expect(largestDeviation(still.positionsAt(0, 0), asset.mesh.positions)).toBeLessThan(1e-6);
    });
  }
});

describe('morph targets', () => {
  it('may be missing in one of the primitives, and take weights from the node first', async () => {
    const builder = new FileBuilder();
    const POSITION = builder.floats('VEC3', TRIANGLE);
    const up = builder.floats('VEC3', [0, 0, 1, 0, 0, 1, 0, 0, 1]);
    builder.json.meshes.push({
      primitives: [
        { attributes: { POSITION }, targets: [{ POSITION: up }] },
        { attributes: { POSITION }, targets: [{}] },
      ],
      weights: [1],
    });
    builder.node({ mesh: 0 });
    builder.node({ mesh: 0, weights: [3] });
    const { mesh } = await readGltf(builder.glb());
    expect([0, 1, 2, 3].map((block) => mesh.positions[9 * block + 2])).toEqual([1, 0, 3, 0]);
  });
});
