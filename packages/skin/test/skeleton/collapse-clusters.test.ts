import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { RigidMoments } from '../../src/decompose/sma/rigid-moments.ts';
import { CostQueue } from '../../src/shared/cost-queue.ts';
import { edgeGraph } from '../../src/shared/mesh/edge-graph.ts';
import { collapseClusters } from '../../src/skeleton/collapse-clusters.ts';
import { geodesicCells } from '../../src/skeleton/geodesic-cells.ts';
import { RigidSums } from '../../src/skeleton/rigid-sums.ts';
import { type Motion, movingBoxes } from '../decompose/moving-boxes.ts';

const MOTIONS: Motion[] = [0, 1].map((b) => (t) => ({ turn: 0.3 * b * t, move: [0.1 * t, 0, b * t] }));

describe('CostQueue', () => {
  it('hands out pairs by cost, ties by number', () => {
    const random = new Random(3);
    const queue = new CostQueue();
    const costs = Array.from({ length: 200 }, () => Math.floor(random.uniform() * 20));
    costs.forEach((cost, k) => {
      queue.push(cost, k, 0, 0);
    });
    const out: { cost: number; a: number }[] = [];
    for (let next = queue.pop(); next; next = queue.pop()) out.push(next);
    const sorted = costs.map((cost, a) => ({ cost, a })).sort((x, y) => x.cost - y.cost || x.a - y.a);
    expect(out.map(({ cost, a }) => ({ cost, a }))).toEqual(sorted);
    expect(queue.pop()).toBeUndefined();
  });
});

describe('RigidSums', () => {
  it('measures what the rotations of a plain fit leave', () => {
    const sequence = movingBoxes(5, MOTIONS);
    const noisy = { ...sequence, frames: sequence.frames.map((value, k) => value + 0.1 * Math.sin(11 * k)) };
    const sums = new RigidSums(noisy);
    const { triangles } = noisy.rest;
    for (const [a, b] of [
      [0, 1],
      [3, 40],
      [7, 60],
    ]) {
      const [one, two] = [a, b].map((t) => sums.ofTriangle(t, new Float64Array(sums.size)));
      const corners = [...triangles.subarray(3 * a, 3 * a + 3), ...triangles.subarray(3 * b, 3 * b + 3)];
      expect(sums.residual(one, two)).toBeCloseTo(RigidMoments.of(noisy, corners).residual(), 8);
    }
  });

  it('finds no residual where the motion is rigid', () => {
    const sequence = movingBoxes(5, MOTIONS);
    const sums = new RigidSums(sequence);
    const [one, two] = [0, 1].map((t) => sums.ofTriangle(t, new Float64Array(sums.size)));
    expect(sums.residual(one, two)).toBeLessThan(1e-6);
  });
});

describe('collapseClusters', () => {
  it('parts shells that move apart', () => {
    const sequence = movingBoxes(5, MOTIONS);
    const { labels, count } = collapseClusters(sequence, 2, undefined);
    expect(count).toBe(2);
    const half = labels.length / 2;
    expect(new Set(labels.subarray(0, half)).size).toBe(1);
    expect(new Set(labels.subarray(half)).size).toBe(1);
    expect(labels[0]).not.toBe(labels[half]);
  });

  it('reaches any number, and labels a vertex of no triangle −1', () => {
    const sequence = movingBoxes(3, MOTIONS);
    expect(collapseClusters(sequence, 1, undefined).count).toBe(1);
    expect(collapseClusters(sequence, 7, undefined).count).toBe(7);
    const bare = { ...sequence, rest: { ...sequence.rest, triangles: new Uint32Array(0) } };
    const { labels, count } = collapseClusters(bare, 3, undefined);
    expect(count).toBe(0);
    expect(labels.every((label) => label === -1)).toBe(true);
  });
});

describe('geodesicCells', () => {
  it('goes along the mesh, and over the air where no edge leads', () => {
    // A strip 0–1–2–3–4 that comes back near its start, and a vertex apart.
    const positions = Float64Array.of(0, 0, 0, 1, 0, 0, 2, 1, 0, 1, 2, 0, 0, 0.5, 0, 0, 3, 0);
    const graph = edgeGraph(Uint32Array.of(0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4), 6);
    expect([...geodesicCells(positions, graph, Int32Array.of(0, 3))]).toEqual([0, 0, 1, 1, 1, 1]);
  });
});
