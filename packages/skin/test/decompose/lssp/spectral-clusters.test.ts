import { openNumerics } from '@pelt/math';
import { CancelledError, type MeshSequence } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { spectralClusters } from '../../../src/decompose/lssp/spectral-clusters.ts';
import { RigidMoments } from '../../../src/decompose/sma/rigid-moments.ts';
import { edgeGraph } from '../../../src/shared/mesh/edge-graph.ts';
import { prepareTrajectories } from '../../../src/shared/trajectories.ts';
import { movingBoxes } from '../moving-boxes.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

describe('spectralClusters', () => {
  function labelsOf(sequence: MeshSequence, clusters: number, context?: { signal: { aborted: boolean } }) {
    const { trajectories } = prepareTrajectories(sequence, numerics);
    const graph = edgeGraph(sequence.rest.triangles, sequence.rest.positions.length / 3);
    return spectralClusters(trajectories, graph, clusters, numerics, context);
  }

  it('is one cluster where one is asked for', () => {
    const boxes = movingBoxes(3, [(t) => ({ turn: t, move: [0, 0, 0] })]);
    expect(labelsOf(boxes, 1)).toEqual(new Int32Array(boxes.rest.positions.length / 3));
  });

  it.each([1, 1e6, 1e-6])('finds parts that move rigidly, at scale %d', (scale) => {
    const motions = [0, 0.3, -0.4].map((speed) => (t: number) => ({ turn: speed * t, move: [0, 0, speed] as const }));
    const boxes = movingBoxes(6, motions, { detail: 4, scale });
    const labels = labelsOf(boxes, 3);
    const size = labels.length / 3;
    for (let b = 0; b < 3; b++) expect(new Set(labels.subarray(b * size, (b + 1) * size)).size).toBe(1);
    expect(new Set(labels).size).toBe(3);
  });

  it('gives parts of a creature that move about as rigidly as those of its bones', () => {
    const { sequence, rig } = creatureScene({ frames: 12, detail: 0.06 });
    const residual = (labels: Iterable<number>) => {
      const parts = new Map<number, number[]>();
      [...labels].forEach((label, i) => {
        parts.set(label, [...(parts.get(label) ?? []), i]);
      });
      return [...parts.values()].reduce((sum, part) => sum + RigidMoments.of(sequence, part).residual(), 0);
    };
    const { slots, bones } = rig.weights;
    const known = residual(bones.filter((_, k) => k % slots === 0));
    expect(residual(labelsOf(sequence, rig.bones.length))).toBeLessThan(1.2 * known);
  });

  it('takes points without triangles, more clusters than points, and frames that are at rest', () => {
    const boxes = movingBoxes(2, [() => ({ turn: 0, move: [0, 0, 0] })]);
    const count = boxes.rest.positions.length / 3;
    const points = { ...boxes, rest: { ...boxes.rest, triangles: new Uint32Array(0) } };
    for (const sequence of [boxes, points]) {
      const labels = labelsOf(sequence, 2 * count);
      expect(labels.length).toBe(count);
      expect(labels.every((label) => label >= 0 && label < count)).toBe(true);
    }
  });

  it('stops when it is told to, and keeps no memory', () => {
    const boxes = movingBoxes(3, [(t) => ({ turn: t, move: [0, 0, 0] })]);
    const before = numerics.allocatedBytes;
    expect(() => labelsOf(boxes, 2, { signal: { aborted: true } })).toThrow(CancelledError);
    labelsOf(boxes, 2);
    expect(numerics.allocatedBytes).toBe(before);
  });
});
