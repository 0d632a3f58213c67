import { openNumerics } from '@pelt/math';
import { afterAll, describe, expect, it } from 'vitest';
import { LaplacianWeights, SkinningSystem, TwoLayerSystem } from '../../src/index.ts';
import { movedPoint } from '../oracles/skinning.ts';
import { asTrajectories, skinnedCloud } from '../skinning/scene.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

const [n, m, S, K] = [60, 7, 5, 3];
const cloud = skinnedCloud(3, n, m, S, K);
const rows = 3 * S;
/** A ring: every vertex has two neighbours. */
const ring = {
  starts: Int32Array.from({ length: n + 1 }, (_, i) => 2 * i),
  neighbours: Int32Array.from({ length: 2 * n }, (_, k) => ((k >> 1) + (k % 2 === 0 ? 1 : n - 1)) % n),
};

function systemOf(slots = K): SkinningSystem {
  const system = new SkinningSystem(numerics, asTrajectories(cloud, S), m, slots);
  system.editTransforms().set(cloud.transforms);
  return system;
}

/** 3S coordinates of a vertex under convex weights of the bones, in plain arithmetic. */
function moved(i: number, weights: readonly number[]): number[] {
  const out = new Array(rows).fill(0);
  for (let t = 0; t < S; t++) {
    weights.forEach((w, j) => {
      if (w === 0) return;
      movedPoint(cloud.transforms, m, t, j, cloud.rest.subarray(3 * i, 3 * i + 3)).forEach((value, d) => {
        out[3 * t + d] += w * value;
      });
    });
  }
  return out;
}

const missOf = (i: number, weights: readonly number[]) => {
  return moved(i, weights).map((value, k) => value - cloud.trajectories[i * rows + k]);
};
const squared = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0);
const unit = (j: number) => Array.from({ length: m }, (_, k) => Number(k === j));

describe('nearestBones', () => {
  it('ranks the bones by what each misses alone', () => {
    const system = systemOf();
    const scope = numerics.scope();
    const candidates = scope.i32(n * (m + 2));
    system.nearestBones(candidates, m + 2);
    for (let i = 0; i < n; i++) {
      const order = Array.from({ length: m }, (_, j) => j).sort(
        (a, b) => squared(missOf(i, unit(a))) - squared(missOf(i, unit(b))),
      );
      expect([...candidates.view.subarray(i * (m + 2), (i + 1) * (m + 2))]).toEqual([...order, -1, -1]);
    }
    scope.dispose();
    system.dispose();
  });
});

describe('TwoLayerSystem', () => {
  const rowOf = (layers: TwoLayerSystem, atom: number) => {
    const row = new Array(m).fill(0);
    for (let s = 0; s < layers.slots; s++) {
      row[layers.atomBones.view[atom * layers.slots + s]] += layers.atomWeights.view[atom * layers.slots + s];
    }
    return row;
  };
  const weightsOf = (layers: TwoLayerSystem, i: number) => {
    const [first, second] = [rowOf(layers, layers.pairs.view[2 * i]), rowOf(layers, layers.pairs.view[2 * i + 1])];
    const a = layers.shares.view[i];
    return first.map((value, j) => a * value + (1 - a) * second[j]);
  };
  const plainError = (layers: TwoLayerSystem, i: number) => squared(missOf(i, weightsOf(layers, i)));

  function start(capacity: number): { system: SkinningSystem; layers: TwoLayerSystem } {
    const system = systemOf();
    const layers = new TwoLayerSystem(numerics, system, ring, capacity, K);
    for (let r = 0; r < Math.min(capacity, m); r++) layers.setAtom([r], [1]);
    for (let k = 0; k < 2 * n; k++) layers.pairs.view[k] = k % Math.min(capacity, m);
    layers.refresh();
    return { system, layers };
  }

  it('measures what the plain product of its layers misses, and shares that no other beats', () => {
    const { system, layers } = start(m);
    for (let i = 0; i < n; i++) {
      const error = plainError(layers, i);
      expect(layers.error.view[i]).toBeCloseTo(error, 10);
      const a = layers.shares.view[i];
      for (const other of [a - 1e-3, a + 1e-3].filter((value) => value >= 0 && value <= 1)) {
        layers.shares.view[i] = other;
        expect(plainError(layers, i)).toBeGreaterThanOrEqual(error - 1e-12);
      }
      layers.shares.view[i] = a;
    }
    layers.dispose();
    system.dispose();
  });

  it('never raises an error by choosing pairs, and never the sum by stepping atoms', () => {
    const { system, layers } = start(m);
    const all = Int32Array.from({ length: m * m }, (_, k) => k % m);
    let last = layers.totalError();
    for (let turn = 0; turn < 5; turn++) {
      const before = layers.error.view.slice();
      layers.choosePairs();
      layers.error.view.forEach((error, i) => {
        expect(error).toBeLessThanOrEqual(before[i] + 1e-12);
        expect(error).toBeCloseTo(plainError(layers, i), 9);
      });
      layers.stepAtoms(all, m);
      layers.refresh();
      expect(layers.totalError()).toBeLessThanOrEqual(last + 1e-12);
      last = layers.totalError();
    }
    for (let r = 0; r < m; r++) {
      const row = rowOf(layers, r);
      expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 10);
      expect(row.filter((value) => value > 0).length).toBeLessThanOrEqual(K);
    }
    layers.dispose();
    system.dispose();
  });

  it('spreads an atom to the vertices that are made of it, and not past those it does not help', () => {
    const { system, layers } = start(m + 1);
    // The exact weights of vertex 4: spread from there they must serve it without error.
    const at = 4 * K;
    const atom = layers.setAtom([...cloud.bones.subarray(at, at + K)], [...cloud.weights.subarray(at, at + K)]);
    const before = layers.error.view.slice();
    layers.spread(atom, 4);
    expect(layers.error.view[4]).toBeLessThan(1e-12);
    layers.error.view.forEach((error, i) => {
      expect(error).toBeLessThanOrEqual(before[i]);
    });
    expect(layers.useCounts()[atom]).toBeGreaterThan(0);
    layers.dispose();
    system.dispose();
  });
});

describe('LaplacianWeights', () => {
  it('lowers ‖L(x − v)‖² with every sweep, as plain arithmetic counts it', () => {
    const system = systemOf();
    const scope = numerics.scope();
    const candidates = scope.i32(n * K);
    system.nearestBones(candidates, K);
    const operator = { ...ring, values: new Float64Array(2 * n).fill(0.5), diagonal: new Float64Array(n).fill(-1) };
    const start = Float64Array.from({ length: n * K }, (_, k) => (k % K === 0 ? 1 : 0));
    const solver = new LaplacianWeights(numerics, system, operator, candidates, start, K);
    const plain = () => {
      const misses = Array.from({ length: n }, (_, i) => {
        const row = new Array(m).fill(0);
        for (let s = 0; s < K; s++) row[candidates.view[i * K + s]] += solver.weights.view[i * K + s];
        return missOf(i, row);
      });
      return misses.reduce((sum, miss, i) => {
        const [a, b] = [misses[(i + 1) % n], misses[(i + n - 1) % n]];
        return sum + squared(miss.map((value, k) => -value + 0.5 * a[k] + 0.5 * b[k]));
      }, 0);
    };
    expect(solver.error()).toBeCloseTo(plain(), 9);
    let last = solver.error();
    for (let sweep = 0; sweep < 4; sweep++) {
      solver.sweep();
      expect(solver.error()).toBeLessThan(last);
      expect(solver.error()).toBeCloseTo(plain(), 8);
      last = solver.error();
    }
    solver.dispose();
    scope.dispose();
    system.dispose();
  });
});
