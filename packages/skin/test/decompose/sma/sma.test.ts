import { openNumerics } from '@pelt/math';
import { CancelledError, type MeshSequence } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { decomposeSma, type SmaOptions } from '../../../src/decompose/sma/sma.ts';
import { edgeGraph } from '../../../src/shared/mesh/edge-graph.ts';
import { prepareTrajectories } from '../../../src/shared/trajectories.ts';
import { HAS_LION, lionPoses } from '../lion-poses.ts';
import { movingBoxes } from '../moving-boxes.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

const DEFAULTS: SmaOptions = { bones: 8, weights: 4, bandwidth: 'auto', kind: 'rigid' };

describe('decomposeSma', () => {
  function solve(sequence: MeshSequence, options: Partial<SmaOptions>, kernels = numerics) {
    const { trajectories } = prepareTrajectories(sequence, kernels);
    const graph = edgeGraph(sequence.rest.triangles, sequence.rest.positions.length / 3);
    const system = decomposeSma(sequence, trajectories, graph, { ...DEFAULTS, ...options }, kernels);
    const result = {
      bones: system.m,
      slots: system.K,
      eRms: 1000 * Math.sqrt(system.totalError() / (3 * system.n * system.S)),
      weights: system.weights.view.slice(),
      indices: system.boneIndices.view.slice(),
      transforms: system.transforms.view.slice(),
    };
    system.dispose();
    return result;
  }

  const turning = [0, 0.3, -0.4].map((speed) => (t: number) => ({ turn: speed * t, move: [0, 0, speed] as const }));

  it('has one bone and no error where the frames are the rest pose', () => {
    const { bones, eRms } = solve(movingBoxes(3, [() => ({ turn: 0, move: [0, 0, 0] })]), {});
    expect(bones).toBe(1);
    expect(eRms).toBeLessThan(1e-3);
  });

  it('recovers parts that move rigidly, and their number', () => {
    const { bones, eRms, weights, slots } = solve(movingBoxes(6, turning, { detail: 4 }), { bones: 3 });
    expect(bones).toBe(3);
    expect(eRms).toBeLessThan(1e-2);
    for (let k = 0; k < weights.length; k += slots)
      expect(Math.max(...weights.subarray(k, k + slots))).toBeCloseTo(1, 3);
  });

  it('finds no more parts than there are', () => {
    expect(solve(movingBoxes(6, turning, { detail: 4 }), { bones: 10 }).bones).toBe(3);
  });

  it('finds as many parts as a bandwidth gives, up to the number of bones', () => {
    const boxes = movingBoxes(6, turning, { detail: 4 });
    expect(solve(boxes, { bones: 50, bandwidth: 5 }).bones).toBe(3);
    expect(solve(boxes, { bones: 50, bandwidth: 120 }).bones).toBe(2);
    expect(solve(boxes, { bones: 2, bandwidth: 5 }).bones).toBe(2);
    expect(() => solve(boxes, { bandwidth: 0 })).toThrow(/bandwidth is 0/);
  });

  it('fits a walking creature nearly as well as the bones that moved it, with convex weights', () => {
    const { sequence } = creatureScene({ frames: 16 });
    const { eRms, weights, slots, bones } = solve(sequence, { bones: 12 });
    expect(bones).toBe(12);
    expect(eRms).toBeLessThan(6);
    for (let k = 0; k < weights.length; k += slots) {
      const row = weights.subarray(k, k + slots);
      expect(row.every((w) => w >= 0)).toBe(true);
      expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
    }
  });

  it('fits better with affine bones than with rigid ones, which are rotations', () => {
    const { sequence } = creatureScene({ frames: 12 });
    const rigid = solve(sequence, { bones: 8 });
    expect(solve(sequence, { bones: 8, kind: 'affine' }).eRms).toBeLessThan(rigid.eRms);
    const M = rigid.transforms;
    for (let k = 0; k < M.length; k += 12) {
      for (const [a, b] of [
        [0, 0],
        [4, 4],
        [0, 4],
        [4, 8],
      ]) {
        const dot = M[k + a] * M[k + b] + M[k + a + 1] * M[k + b + 1] + M[k + a + 2] * M[k + b + 2];
        expect(dot).toBeCloseTo(a === b ? 1 : 0, 9);
      }
    }
  });

  it('gives the same bits for one thread and two', async () => {
    const alone = await openNumerics({ threads: 1 });
    const { sequence } = creatureScene({ frames: 6 });
    expect(solve(sequence, { bones: 6 }, alone)).toEqual(solve(sequence, { bones: 6 }));
    alone.close();
  });

  it('takes points without triangles, and stops when it is told to', () => {
    const boxes = movingBoxes(3, turning);
    expect(solve({ ...boxes, rest: { ...boxes.rest, triangles: new Uint32Array(0) } }, {}).bones).toBe(1);
    const { trajectories } = prepareTrajectories(boxes, numerics);
    const graph = edgeGraph(boxes.rest.triangles, boxes.rest.positions.length / 3);
    const before = numerics.allocatedBytes;
    const context = { signal: { aborted: true } };
    expect(() => decomposeSma(boxes, trajectories, graph, DEFAULTS, numerics, context)).toThrow(CancelledError);
    expect(numerics.allocatedBytes).toBe(before);
  });

  it.skipIf(!HAS_LION)('does far better on the poses of a lion than published (needs the measured data)', () => {
    const { bones, eRms } = solve(lionPoses(), { bones: 21 });
    // Published: 62.8.
    expect(bones).toBe(21);
    expect(eRms).toBeLessThan(7);
  });
});
