import { openNumerics } from '@pelt/math';
import {
  type FrameReader,
  frameReader,
  InputError,
  type MeshSequence,
  type Run,
  stageOf,
  UsageError,
  uniformTimes,
  validateClip,
  validateRig,
  vertexCount,
} from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import {
  assembleRig,
  CHUNK_DEFAULTS,
  ChunkedMesh,
  type ChunkOptions,
  type DecomposeOptions,
  type Decomposition,
  decompose,
  findBones,
  measuredRig,
  placesOf,
  solveChunks,
} from '../../../src/decompose/index.ts';
import { expectCancels } from '../../expect-cancels.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

const { sequence } = creatureScene({ frames: 20, detail: 0.05 });
const reader = frameReader(sequence);
const n = vertexCount(sequence.rest);

/** All stages in a row. */
function inChunks(reader: FrameReader, options: Partial<DecomposeOptions & ChunkOptions>, run: Run): Decomposition {
  const { sampleVertices, chunk, ...others } = { ...CHUNK_DEFAULTS, ...options };
  const mesh = new ChunkedMesh(reader, run);
  const found = findBones(reader, mesh, sampleVertices, others, stageOf(run, 0, 0.4));
  const chunks = solveChunks(reader, mesh, found, chunk, placesOf(mesh, 0, 1), stageOf(run, 0.4, 0.9));
  const rig = assembleRig(reader.rest, mesh, found, chunks);
  const { clip, iterations } = found;
  return { ...measuredRig(reader, rig, clip, found, stageOf(run, 0.9, 1)), clip, iterations };
}

describe('solveChunks', () => {
  it('gives rest and frames back where nothing moves', () => {
    const still = { ...sequence, frames: repeated(sequence.rest.positions, 3), times: uniformTimes(3, 24) };
    const { rig, error } = inChunks(frameReader(still), { bones: 5, chunk: 100 }, { numerics });
    expect(rig.bones.length).toBe(1);
    expect(error.max).toBeLessThan(1e-5);
  });

  it('gives the same bits whatever the size of the chunks, and on two threads', async () => {
    const options = { bones: 8, rounds: 20, sampleVertices: 300 };
    const whole = inChunks(reader, { ...options, chunk: n }, { numerics });
    for (const chunk of [97, 'auto'] as const) {
      expect(inChunks(reader, { ...options, chunk }, { numerics })).toEqual(whole);
    }
    const two = await openNumerics({ threads: 2 });
    expect(inChunks(reader, { ...options, chunk: 333 }, { numerics: two })).toEqual(whole);
    two.close();
  });

  it('is as good as a fit of all vertices', () => {
    const whole = decompose(sequence, { bones: 10 }, { numerics });
    const parts = inChunks(reader, { bones: 10, sampleVertices: n >> 1, chunk: 400 }, { numerics });
    validateRig(parts.rig);
    validateClip(parts.clip, parts.rig.bones.length);
    expect(parts.error.eRms).toBeLessThan(1.05 * whole.error.eRms);
  });

  it('takes the better one of two samples', () => {
    const mesh = new ChunkedMesh(reader);
    const [one, other] = [0, 0.5].map((shift) => mesh.sample(300, shift));
    expect([...one.vertices].filter((i) => other.vertices.includes(i))).toEqual([]);
    const found = findBones(reader, mesh, 300, { bones: 8, restPose: 'keep' }, { numerics });
    const { vertices } = mesh.sample(300, found.sample.shift);
    expect([...found.sample.vertices]).toEqual(Array.from(vertices, (i) => mesh.weld.first[i]));
    // The whole mesh as its own sample is searched once, from the first vertex on.
    expect(findBones(reader, mesh, n, { bones: 3, rounds: 2 }, { numerics }).sample.shift).toBe(0);
  });

  it('never reads all vertices of a frame but to measure the error', () => {
    const counts: number[] = [];
    const watched: FrameReader = {
      ...reader,
      readFrame: (t, out, vertices) => {
        counts.push(vertices?.length ?? n);
        reader.readFrame(t, out, vertices);
      },
    };
    // A rest pose that has moved too far would be measured again.
    const options = { bones: 4, rounds: 2, sampleVertices: 200, chunk: 150, restPose: 'keep' } as const;
    inChunks(watched, options, { numerics });
    expect(counts.filter((count) => count === n).length).toBe(20);
    expect(Math.max(...counts.filter((count) => count < n))).toBeLessThan(n / 2);
  });

  it('welds seams: vertices that are always in one place get one weight', () => {
    const twice = withCopies(sequence);
    const options = { bones: 6, rounds: 12, sampleVertices: 300, chunk: 200 };
    const { rig } = inChunks(frameReader(twice), options, { numerics });
    const alone = inChunks(reader, options, { numerics });
    const { slots } = rig.weights;
    expect(rig.weights.weights.subarray(0, n * slots)).toEqual(alone.rig.weights.weights);
    expect(rig.weights.weights.subarray(n * slots)).toEqual(rig.weights.weights.subarray(0, 10 * slots));
  });

  it.each<[string, Partial<DecomposeOptions>]>([
    ['affine bones', { method: 'affine', bones: 4 }],
    ['every bone for every vertex', { bones: 3, weights: 4 }],
    ['an error to reach', { maxError: 12 }],
    ['a number of bones found by itself', { bones: 'auto' }],
    ['the rest pose as it is', { bones: 4, restPose: 'keep' }],
  ])('takes %s', (_, options) => {
    const { rig, clip, error, restMoved } = inChunks(
      reader,
      { rounds: 8, sampleVertices: 200, chunk: 300, ...options },
      { numerics },
    );
    validateRig(rig);
    validateClip(clip, rig.bones.length);
    if (options.restPose === 'keep') expect(rig.mesh.positions).toEqual(sequence.rest.positions);
    else expect(restMoved.eRms).toBeLessThanOrEqual(error.eRms);
  });

  it('keeps locked bones', () => {
    const first = decompose(sequence, { bones: 6, rounds: 12 }, { numerics });
    const locked = { part: 'bones', rig: first.rig, clip: first.clip } as const;
    const { clip } = inChunks(reader, { bones: 6, locked, sampleVertices: 300, chunk: 300 }, { numerics });
    clip.transforms.forEach((value, k) => {
      expect(value).toBeCloseTo(first.clip.transforms[k], 10);
    });
  });

  it('takes shells that no sampled vertex is on, points without triangles, and a single vertex', () => {
    const options = { bones: 3, rounds: 8, sampleVertices: 5, chunk: 2 };
    for (const count of [1, 2, 30]) {
      const positions = Float32Array.from({ length: 3 * count }, (_, k) => Math.sin(k));
      const frames = repeated(positions, 4).map((value, k) => value + Math.floor(k / positions.length) * (k % 5));
      const rest = { name: 'points', positions, triangles: new Uint32Array(0) };
      const points = frameReader({ name: 'points', rest, frames, times: uniformTimes(4, 24) });
      const { rig, error } = inChunks(points, options, { numerics });
      validateRig(rig);
      expect(Number.isFinite(error.eRms)).toBe(true);
    }
  });

  it('refuses what looks at the whole mesh, an empty mesh and no frames', () => {
    const refused = (options: object) => () => inChunks(reader, options, { numerics });
    expect(refused({ method: 'sma' })).toThrow("method 'sma' needs the whole mesh");
    expect(refused({ smooth: 1 })).toThrow(UsageError);
    expect(refused({ chunk: 0 })).toThrow('the chunk is 0 vertices');
    expect(refused({ sampleVertices: 2.5 })).toThrow('the sample is 2.5 vertices');
    expect(refused({ chunks: 3 })).toThrow(UsageError);
    const empty = {
      ...sequence,
      rest: { ...sequence.rest, positions: new Float32Array(0) },
      frames: new Float32Array(0),
    };
    expect(() => inChunks(frameReader(empty), {}, { numerics })).toThrow(InputError);
    const still = { ...reader, times: new Float64Array(0) };
    expect(() => inChunks(still, {}, { numerics })).toThrow(InputError);
  });

  it('stops within a second of processor time, and leaves nothing behind', () => {
    expectCancels(numerics, (run) => inChunks(reader, { bones: 8, sampleVertices: 800, chunk: 300 }, run));
  });
});

function repeated(positions: Float32Array, S: number): Float32Array {
  return Float32Array.from({ length: S * positions.length }, (_, k) => positions[k % positions.length]);
}

/** The same with copies of its first ten vertices behind the others. */
function withCopies({ rest, frames, times, name }: MeshSequence): MeshSequence {
  const size = rest.positions.length;
  const extended = (row: Float32Array) => [...row, ...row.subarray(0, 30)];
  const all = Array.from(times, (_, t) => extended(frames.subarray(t * size, (t + 1) * size)));
  const mesh = { name, triangles: rest.triangles, positions: Float32Array.from(extended(rest.positions)) };
  return { name, rest: mesh, frames: Float32Array.from(all.flat()), times };
}
