import { type Numerics, openNumerics, rotationExp, type Scope } from '@pelt/math';
import { type Clip, frameAt, type MeshSequence, type Poser, type Rig, TRANSFORM_SIZE } from '@pelt/model';
import { extremities } from '@pelt/testkit';
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { STAY } from '../../../src/pose/runtime/control-system.ts';
import type { Handle } from '../../../src/pose/runtime/handle-set.ts';
import { addNormalMatrix, addPosition } from '../../../src/pose/runtime/normal-matrix.ts';
import { PoseCost } from '../../../src/pose/runtime/pose-cost.ts';
import { ProxyBlend } from '../../../src/pose/runtime/proxy-blend.ts';
import { relativePositions } from '../../../src/pose/runtime/relative-frame.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { vertexAreas } from '../../../src/shared/mesh/vertex-areas.ts';
import { creatureExamples, pointOf } from '../scenes.ts';

const { rig, clip, sequence, walk } = creatureExamples(6, { detail: 0.07 });
const E = clip.times.length;
const m = rig.bones.length;
const rest = rig.mesh.positions;
const tips = extremities(rest, 5);
const BETA = Float64Array.from({ length: E }, (_, e) => 0.4 * Math.sin(2 * e + 1));
/** A force limit that no handle of these tests reaches. */
const STRONG = 1e6;
const PULL = 0.03;
const RIDGE = 1e-3;
/** Softness of a handle that asks for none. */
const HARD = 1e-6;

let numerics: Numerics;
let scope: Scope;
beforeAll(async () => {
  numerics = await openNumerics();
});
afterAll(() => numerics.close());
beforeEach(() => {
  scope = numerics.scope();
});
afterEach(() => scope.dispose());

const costOf = (poser: Poser, pull = STRONG, ridge = RIDGE) =>
  new PoseCost(poser, { pull, ridge, starts: 0 }, { numerics }, scope);

function handlesOn(positions: ArrayLike<number>, softness = 0): Handle[] {
  return tips.map((vertex) => ({ vertex, target: pointOf(positions, vertex), softness }));
}

/** Examples that the controls alone do not reach: folds of their own. */
const folded: MeshSequence = {
  ...sequence,
  frames: sequence.frames.map((value, k) => value + 0.01 * Math.sin(30 * rest[k % rest.length] + k / rest.length)),
};

/** The whole stretched along one axis in each example, and turned in none: the cost is quadratic in the blend. */
const stretches: Clip = {
  name: 'stretches',
  times: Float64Array.of(0, 1, 2),
  transforms: Float64Array.from({ length: 3 * TRANSFORM_SIZE * m }, (_, k) => {
    const [axis, entry] = [Math.floor(k / (TRANSFORM_SIZE * m)), k % TRANSFORM_SIZE];
    return entry === 5 * axis ? 1.2 : entry % 5 === 0 ? 1 : 0;
  }),
};

/** A square under one control, which in the only example turns by a right angle about z. */
const square: { rig: Rig; clip: Clip } = {
  rig: {
    name: 'square',
    mesh: {
      name: 'square',
      positions: Float32Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
    },
    bones: [{ name: 'all', parent: -1, rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) }],
    weights: { slots: 1, bones: new Uint16Array(4), weights: new Float32Array(4).fill(1) },
  },
  clip: {
    name: 'turned',
    times: Float64Array.of(0),
    transforms: Float64Array.of(0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0),
  },
};

/**
 * ½‖Gu − m(β) + I‖²_W, the regulariser towards rest, the handles and the blend's own term, from their definitions. Holds
 * where every vertex is a proxy of its own, so that nothing varies within one.
 */
function plainCost(poser: Poser, cost: PoseCost, handles: readonly Handle[], pull: number, u: Float64Array): number {
  const N = 4 * poser.rig.bones.length;
  const p = poser.proxyWeights.length;
  const x = relativePositions(poser, poser.rig.mesh.positions);
  const areas = vertexAreas(x, poser.rig.mesh.triangles);
  const examples = poser.exampleNames.length;
  const shapes = new Float64Array(9 * p);
  const blender = new ProxyBlend(p, examples, poser.exampleLogs, poser.exampleStretches);
  blender.fill(BETA.subarray(0, examples), false, shapes, 3, 1);
  let sum = 0;
  for (let k = 0; k < p; k++) {
    for (let c = 0; c < 3; c++) {
      for (let r = 0; r < 3; r++) {
        let gradient = -shapes[3 * (3 * k + c) + r];
        for (let b = poser.blockStarts[k]; b < poser.blockStarts[k + 1]; b++) {
          for (let row = 0; row < 4; row++) {
            gradient += poser.blocks[12 * b + 3 * row + c] * u[12 * poser.blockControls[b] + 3 * row + r];
          }
        }
        sum += 0.5 * poser.proxyWeights[k] * gradient ** 2;
      }
    }
  }
  const h = new Float64Array(N * N);
  areas.forEach((area, i) => {
    addPosition(poser.rig.weights, x, i, STAY * area, h, N);
  });
  sum += 0.5 * quadratic(h, u, N);
  addNormalMatrix(
    { starts: poser.blockStarts, controls: poser.blockControls, blocks: poser.blocks },
    poser.proxyWeights,
    h,
    N,
  );
  // What keeps the factorisation safe.
  const trace = h.reduce((total, value, k) => total + (k % (N + 1) === 0 ? value : 0), 0);
  sum += 0.5 * ((1e-12 * trace) / N) * u.reduce((total, value) => total + value * value, 0);
  const { slots, bones, weights } = poser.rig.weights;
  for (const { vertex, target, softness = 0 } of handles) {
    const away = Math.hypot(
      ...[0, 1, 2].map((r) => {
        let place = x[3 * vertex + r] + cost.offset[r];
        for (let s = vertex * slots; s < (vertex + 1) * slots; s++) {
          for (let k = 0; k < 4; k++) {
            place += weights[s] * (k < 3 ? x[3 * vertex + k] : 1) * u[12 * bones[s] + 3 * k + r];
          }
        }
        return (target[r] - poser.center[r]) / poser.size - place;
      }),
    );
    const soft = Math.max(softness, HARD);
    sum += away <= soft * pull ? away ** 2 / (2 * soft) : pull * (away - 0.5 * soft * pull);
  }
  return sum;
}

function quadratic(h: Float64Array, u: Float64Array, N: number): number {
  let sum = 0;
  for (let a = 0; a < N; a++) {
    for (let b = 0; b < N; b++) for (let r = 0; r < 3; r++) sum += u[3 * a + r] * h[a * N + b] * u[3 * b + r];
  }
  return sum;
}

/** The gradient by central differences of the cost. */
function differences(cost: PoseCost, beta: Float64Array, step = 1e-5): number[] {
  return Array.from(beta, (_, e) => {
    const at = (by: number) => cost.evaluate(beta.map((value, k) => value + (k === e ? by : 0)));
    return (at(step) - at(-step)) / (2 * step);
  });
}

function gradientAt(cost: PoseCost, beta: Float64Array): Float64Array {
  cost.evaluate(beta);
  cost.linearise(beta);
  return cost.gradient.slice();
}

/** The whole of A, of which `matrix` fills the lower triangle. */
function matrixAt(cost: PoseCost, beta: Float64Array): Matrix {
  gradientAt(cost, beta);
  const size = cost.unknowns;
  const a = new Float64Array(size * size);
  cost.matrix(a);
  return Matrix.from1DArray(
    size,
    size,
    a.map((_, k) => a[Math.max(Math.floor(k / size), k % size) * size + Math.min(Math.floor(k / size), k % size)]),
  );
}

describe('the cost of a pose', () => {
  it('is zero at rest, and so are the controls', () => {
    const cost = costOf(buildPoser({ rig, clip }, { regions: 1, proxies: 30 }));
    expect(cost.evaluate(new Float64Array(E))).toBe(0);
    expect(cost.u.every((value) => value === 0)).toBe(true);
  });

  it('is the ridge alone where one control can follow the blend, as computed by hand', () => {
    const cost = costOf(buildPoser(square));
    for (const beta of [0.5, 1, -0.25]) {
      // The control turns by β · 90°; the weak pull towards rest takes less than STAY of it.
      const value = cost.evaluate(Float64Array.of(beta));
      const angle = (beta * Math.PI) / 2;
      const expected = [Math.cos(angle) - 1, Math.sin(angle), 0, -Math.sin(angle), Math.cos(angle) - 1, 0];
      expected.forEach((entry, k) => {
        expect(Math.abs(cost.u[k] - entry)).toBeLessThan(2 * STAY);
      });
      expect(Math.abs(value - 0.5 * RIDGE * beta ** 2)).toBeLessThan(2 * STAY);
      expect(gradientAt(cost, Float64Array.of(beta))[0]).toBeCloseTo(RIDGE * beta, 4);
      expect(matrixAt(cost, Float64Array.of(beta)).get(0, 0)).toBeCloseTo(RIDGE, 4);
    }
  });

  it.each([
    ['free', STRONG, 0],
    ['soft', STRONG, 0.5],
    ['at their force limits', PULL, 0],
  ])('is the minimum over the controls of the plain sum, with handles that are %s', (_, pull, softness) => {
    const poser = buildPoser({ rig, clip }, { regions: 1, proxies: Number.POSITIVE_INFINITY });
    const cost = costOf(poser, pull, 0);
    const handles = handlesOn(frameAt(walk.sequence, 7), softness);
    cost.setHandles(handles);
    const value = cost.evaluate(BETA);
    const u = cost.u.slice();
    expect(plainCost(poser, cost, handles, pull, u)).toBeCloseTo(value, 9);
    for (let trial = 0; trial < 10; trial++) {
      const other = u.map((entry, k) => entry + 1e-3 * Math.sin(k * (trial + 1)));
      expect(plainCost(poser, cost, handles, pull, other)).toBeGreaterThan(value);
    }
  });

  it.each([
    ['a proxy per vertex', Number.POSITIVE_INFINITY, STRONG, false],
    ['few proxies', 20, STRONG, false],
    ['handles at their force limits', 20, PULL, false],
    ['details', 20, STRONG, true],
  ])('has the gradient that finite differences have, with %s', (_, proxies, pull, details) => {
    const cost = costOf(
      buildPoser({ rig, clip, examples: details ? folded : undefined }, { regions: 1, proxies }),
      pull,
    );
    cost.setHandles(handlesOn(frameAt(walk.sequence, 7), 0.01));
    const gradient = gradientAt(cost, BETA);
    const size = Math.hypot(...gradient);
    expect(size).toBeGreaterThan(1e-3);
    differences(cost, BETA).forEach((slope, e) => {
      expect(Math.abs(slope - gradient[e])).toBeLessThan(1e-5 * size);
    });
  });

  it('has the gradient of finite differences with pinned and free regions', () => {
    const cost = costOf(buildPoser({ rig, clip }, { regions: 1, proxies: 20 }));
    const vertices = Array.from({ length: rest.length / 3 }, (_, i) => i);
    cost.setRegions({
      pinned: vertices.filter((i) => rest[3 * i + 2] > 0.5),
      free: vertices.filter((i) => rest[3 * i + 2] < -0.5),
    });
    cost.setHandles(handlesOn(frameAt(walk.sequence, 7), 0.01));
    const gradient = gradientAt(cost, BETA);
    const size = Math.hypot(...gradient);
    differences(cost, BETA).forEach((slope, e) => {
      expect(Math.abs(slope - gradient[e])).toBeLessThan(1e-5 * size);
    });
  });

  it('has the gradient of finite differences with respect to the rotation of the whole', () => {
    const cost = costOf(buildPoser({ rig, clip, examples: folded }, { regions: 1, proxies: 20 }));
    const frame = new Float64Array(9);
    rotationExp([0.4, -0.3, 0.2], 0, frame, 0);
    for (const softness of [0.01, 0.5]) {
      cost.setHandles(handlesOn(frameAt(walk.sequence, 7), softness));
      cost.setFrame(frame, 0);
      const gradient = gradientAt(cost, BETA);
      expect(cost.unknowns).toBe(E + 3);
      for (let axis = 0; axis < 3; axis++) {
        const at = (by: number) => {
          cost.turnFrom(
            frame,
            Float64Array.from({ length: E + 3 }, (_, k) => (k === E + axis ? by : 0)),
          );
          return cost.evaluate(BETA);
        };
        const slope = (at(1e-5) - at(-1e-5)) / 2e-5;
        expect(Math.abs(slope - gradient[E + axis])).toBeLessThan(1e-5 * Math.hypot(...gradient));
      }
    }
  });

  it('does not turn with two handles, or with pinned vertices', () => {
    const cost = costOf(buildPoser({ rig, clip }, { regions: 1, proxies: 20 }));
    cost.setHandles(handlesOn(rest).slice(0, 2));
    expect(cost.unknowns).toBe(E);
    cost.setHandles(handlesOn(rest));
    expect(cost.unknowns).toBe(E + 3);
    cost.setRegions({ pinned: [0, 1, 2] });
    expect(cost.unknowns).toBe(E);
  });

  it('has the Hessian for its Gauss–Newton matrix where examples stretch but do not turn', () => {
    const cost = costOf(buildPoser({ rig, clip: stretches }, { regions: 1, proxies: 20 }));
    cost.setHandles(
      handlesOn(
        rest.map((value) => 1.1 * value),
        0.01,
      ),
    );
    const beta = Float64Array.of(0.3, -0.2, 0.5);
    const a = matrixAt(cost, beta);
    const step = 0.01;
    beta.forEach((_, e) => {
      const at = (by: number) =>
        gradientAt(
          cost,
          beta.map((value, k) => value + (k === e ? by : 0)),
        );
      const [after, before] = [at(step), at(-step)];
      beta.forEach((__, f) => {
        expect((after[f] - before[f]) / (2 * step)).toBeCloseTo(a.get(e, f), 7);
      });
    });
  });

  it('has a positive definite Gauss–Newton matrix, of at least the ridge', () => {
    for (const handles of [[], handlesOn(frameAt(walk.sequence, 7)), handlesOn(rest, 1)]) {
      const cost = costOf(buildPoser({ rig, clip }, { regions: 1, proxies: 20 }));
      cost.setHandles(handles);
      const { realEigenvalues } = new EigenvalueDecomposition(matrixAt(cost, BETA));
      expect(Math.min(...realEigenvalues)).toBeGreaterThan(RIDGE * (1 - 1e-9));
    }
  });

  it('is the same at any size', () => {
    const values = [1, 1e6, 1e-6].map((scale) => {
      const positions = rest.map((value) => scale * value);
      const transforms = clip.transforms.map((value, k) => (k % 4 === 3 ? scale * value : value));
      const scaled = { rig: { ...rig, mesh: { ...rig.mesh, positions } }, clip: { ...clip, transforms } };
      const poser = buildPoser(scaled, { regions: 1, proxies: 20 });
      const cost = costOf(poser, PULL);
      cost.setHandles(handlesOn(frameAt(walk.sequence, 7).map((value) => scale * value)));
      return cost.evaluate(BETA);
    });
    expect(values[1]).toBeCloseTo(values[0], 6);
    expect(values[2]).toBeCloseTo(values[0], 6);
  });

  it('is least at an example where the handles are those of the example', () => {
    const cost = costOf(buildPoser({ rig, clip }, { regions: 1, proxies: 40 }), PULL);
    for (let e = 0; e < E; e++) {
      const alone = Float64Array.from({ length: E }, (_, k) => (k === e ? 1 : 0));
      cost.setHandles(handlesOn(frameAt(sequence, e)));
      const least = cost.evaluate(alone);
      for (let c = 0; c < tips.length; c++) expect(cost.handleError(c)).toBeLessThan(1e-5);
      for (let k = 0; k < E; k++) {
        for (const by of [-0.3, 0.3]) {
          const other = alone.map((value, f) => value + (f === k ? by : 0));
          expect(cost.evaluate(other)).toBeGreaterThan(least);
        }
      }
    }
  });

  it('reports whether handles changed, and how far they are', () => {
    const cost = costOf(buildPoser({ rig, clip }, { regions: 1, proxies: 20 }), PULL);
    const handles = handlesOn(rest);
    expect(cost.setHandles(handles)).toBe(true);
    expect(cost.setHandles(handlesOn(rest))).toBe(false);
    expect(cost.handleCount).toBe(tips.length);
    cost.evaluate(new Float64Array(E));
    handles.forEach((_, c) => {
      expect(cost.handleError(c)).toBeLessThan(1e-6);
    });
    const [x, y, z] = pointOf(rest, tips[0]);
    cost.setHandles([{ vertex: tips[0], target: [x + 1e3, y, z] }, ...handles.slice(1)]);
    cost.evaluate(new Float64Array(E));
    expect(cost.handleError(0)).toBeGreaterThan(100);
  });

  it('takes an example that is the rest pose, a control that moves nothing, and handles that contradict each other', () => {
    const identities = Float64Array.from(rig.bones.flatMap(() => [...square.rig.bones[0].rest]));
    const still = buildPoser(
      { rig, clip: { ...clip, times: Float64Array.of(0), transforms: identities } },
      { regions: 1 },
    );
    const idle: Rig = { ...rig, bones: [...rig.bones, { ...rig.bones[0], name: 'idle', parent: -1 }] };
    const held = Array.from({ length: E }, (_, e) => [
      ...clip.transforms.subarray(12 * m * e, 12 * m * (e + 1)),
      ...square.rig.bones[0].rest,
    ]);
    const extra = buildPoser(
      { rig: idle, clip: { ...clip, transforms: Float64Array.from(held.flat()) } },
      { regions: 1, proxies: 20 },
    );
    for (const [poser, beta] of [
      [still, Float64Array.of(0.5)],
      [extra, BETA],
    ] as const) {
      const cost = costOf(poser, PULL);
      const [x, y, z] = pointOf(rest, tips[0]);
      cost.setHandles([-0.1, 0.1].map((by) => ({ vertex: tips[0], target: [x + by, y, z] })));
      expect(Number.isFinite(cost.evaluate(beta))).toBe(true);
      cost.linearise(beta);
      expect(cost.gradient.every(Number.isFinite)).toBe(true);
      expect(cost.u.every(Number.isFinite)).toBe(true);
      expect(cost.handleError(0)).toBeCloseTo(cost.handleError(1), 2);
    }
  });
});
