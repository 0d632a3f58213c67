import { Random } from '@pelt/math';
import { type Poser, UsageError } from '@pelt/model';
import { inverse, Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { BodyBlend } from '../../../src/pose/runtime/body-blend.ts';
import { ExamplePrior } from '../../../src/pose/runtime/example-prior.ts';
import { type Handle, HandleSet } from '../../../src/pose/runtime/handle-set.ts';
import { relativeFrame, relativePositions } from '../../../src/pose/runtime/relative-frame.ts';

/** A force limit that no handle of these tests reaches. */
const STRONG = 1e6;
/** Softness of a handle that asks for none. */
const HARD = 1e-6;

interface PoserParts {
  /** n × 3 */
  readonly positions: readonly number[];
  /** n × 2 weights of the controls */
  readonly weights: readonly (readonly [number, number])[];
  readonly details?: readonly (readonly number[])[];
}

/** Two controls over a few vertices; of the rest of a poser a handle set sees nothing. */
function poserOf({ positions, weights, details = [] }: PoserParts): Poser {
  const bone = { name: 'control', parent: -1, rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) };
  const rest = Float32Array.from(positions);
  const n = rest.length / 3;
  return {
    name: 'handles',
    rig: {
      name: 'handles',
      mesh: { name: 'handles', positions: rest, triangles: new Uint32Array(0) },
      bones: [bone, bone],
      weights: {
        slots: 2,
        bones: Uint16Array.from({ length: 2 * n }, (_, k) => k % 2),
        weights: Float32Array.from(weights.flat()),
      },
    },
    ...relativeFrame(rest),
    vertexProxies: new Uint32Array(n),
    proxyWeights: Float64Array.of(1),
    blockStarts: Uint32Array.of(0, 0),
    blockControls: new Uint16Array(0),
    blocks: new Float64Array(0),
    exampleNames: details.map((_, e) => String(e)),
    exampleLogs: new Float64Array(3 * details.length),
    exampleStretches: new Float64Array(6 * details.length),
    exampleTransforms: Float64Array.from(details.flatMap(() => [...bone.rest, ...bone.rest])),
    exampleDetails: details.map((detail) => Float32Array.from(detail)),
  };
}

function handleSet(poser: Poser, pull = STRONG) {
  const x = relativePositions(poser, poser.rig.mesh.positions);
  const set = new HandleSet(poser, x, pull);
  const prior = new ExamplePrior(poser, 0);
  return { set, x, hold: (handles: readonly Handle[], K: Float64Array) => set.set(handles, K, prior) };
}

const N = 8;
const identity = Float64Array.from({ length: N * N }, (_, k) => (k % (N + 1) === 0 ? 1 : 0));

/** Two vertices a unit apart, both under the first control alone; the model's size is 1 and its centre the origin. */
const rod = poserOf({
  positions: [-0.5, 0, 0, 0.5, 0, 0],
  weights: [
    [1, 0],
    [1, 0],
  ],
});
const rodHandles = (left: number, right: number, softness = 0): Handle[] => [
  { vertex: 0, target: [-0.5 + left, 0, 0], softness },
  { vertex: 1, target: [0.5 + right, 0, 0], softness },
];

/** Eight vertices on a box under blended controls, H positive definite and K its inverse. */
function randomSystem(random: Random, details = 0) {
  const corners = Array.from({ length: 24 }, (_, k) => ((k / 3) >> (k % 3)) & 1);
  const poser = poserOf({
    positions: corners.map((value) => value + random.uniform(-0.1, 0.1)),
    weights: Array.from({ length: 8 }, () => {
      const share = random.uniform(0, 1);
      return [share, 1 - share] as const;
    }),
    details: Array.from({ length: details }, () => Array.from({ length: 24 }, () => random.uniform(-0.1, 0.1))),
  });
  const root = new Matrix(Array.from({ length: N }, () => Array.from({ length: N }, () => random.uniform(-1, 1))));
  const H = root.mmul(root.transpose()).add(Matrix.eye(N).mul(0.2));
  return {
    poser,
    H,
    K: flat(inverse(H)),
    rhs: Matrix.rand(N, 3, { random: () => random.uniform(-0.3, 0.3) }),
  };
}

function handlesOn(poser: Poser, vertices: readonly number[], random: Random, reach: number): Handle[] {
  const { positions } = poser.rig.mesh;
  return vertices.map((vertex) => ({
    vertex,
    target: [0, 1, 2].map((r) => positions[3 * vertex + r] + random.uniform(-reach, reach)),
    softness: random.uniform(0, 0.1),
  }));
}

/** The row C_c: what turns the unknowns into the displacement of a vertex. */
function constraintRow({ rig }: Poser, x: Float64Array, vertex: number): Matrix {
  const row = Matrix.zeros(1, N);
  for (let k = 0; k < N; k++) {
    const weight = rig.weights.weights[2 * vertex + (k >> 2)];
    row.set(0, k, weight * ((k & 3) < 3 ? x[3 * vertex + (k & 3)] : 1));
  }
  return row;
}

/** ½ uᵀHu − gᵀu + Σ φ, from the definition: φ is quadratic up to the force limit and linear beyond. */
function primalCost(
  { poser, H, rhs }: ReturnType<typeof randomSystem>,
  { set, x }: ReturnType<typeof handleSet>,
  handles: readonly Handle[],
  pull: number,
  u: Float64Array,
): number {
  const unknowns = new Matrix(Array.from({ length: N }, (_, k) => Array.from(u.subarray(3 * k, 3 * k + 3))));
  let cost = 0.5 * unknowns.transpose().mmul(H).mmul(unknowns).trace() - rhs.transpose().mmul(unknowns).trace();
  for (const { vertex, target, softness = 0 } of handles) {
    const moved = constraintRow(poser, x, vertex).mmul(unknowns).to1DArray();
    const away = Math.hypot(
      ...moved.map(
        (value, r) => (target[r] - poser.center[r]) / poser.size - x[3 * vertex + r] - set.offset[r] - value,
      ),
    );
    const soft = Math.max(softness, HARD);
    cost += away <= soft * pull ? away ** 2 / (2 * soft) : pull * (away - 0.5 * soft * pull);
  }
  return cost;
}

const flat = (matrix: Matrix) => Float64Array.from(matrix.to1DArray());

describe('a handle set', () => {
  it('without handles, or with handles at rest, moves nothing', () => {
    const { set, hold } = handleSet(rod);
    expect(hold([], identity)).toBe(false);
    const u = new Float64Array(3 * N);
    expect(set.pull(u)).toBe(0);
    expect(hold(rodHandles(0, 0), identity)).toBe(true);
    expect(set.pull(u)).toBe(0);
    expect(u.every((value) => value === 0)).toBe(true);
    expect(set.distance(0, u)).toBe(0);
  });

  it('moves with the mean of its handles without any force', () => {
    const { set, hold } = handleSet(rod);
    hold(rodHandles(0.25, 0.25), identity);
    const u = new Float64Array(3 * N);
    expect(set.pull(u)).toBe(0);
    expect(Array.from(set.offset)).toEqual([0.25, 0, 0]);
  });

  it('stretches a rod between two handles as computed by hand', () => {
    const { set, hold } = handleSet(rod);
    // K = I gives V = (∓½, 0, 0, 1) and S = [5/4 3/4; 3/4 5/4]. Handles moved apart by ∓d/2 lie along S's eigenvector of
    // eigenvalue ½: the forces are ∓d, the unknown F₀₀ − 1 becomes d, and the cost ½ uᵀHu is ½ d².
    const d = 0.3;
    hold(rodHandles(-d / 2, d / 2), identity);
    const u = new Float64Array(3 * N);
    expect(set.pull(u)).toBeCloseTo(0.5 * d * d, 6);
    u.forEach((value, k) => {
      expect(value).toBeCloseTo(k === 0 ? d : 0, 5);
    });
    expect(set.distance(1, u)).toBeLessThan(2 * HARD);
  });

  it('pulls with its largest force and no more where a target is out of reach', () => {
    const F = 0.1;
    const { set, hold } = handleSet(rod, F);
    // The forces ∓F close F/2 of a gap of 5, by the eigenvalue ½ above.
    hold(rodHandles(-5, 5), identity);
    const u = new Float64Array(3 * N);
    set.pull(u);
    expect(u[0]).toBeCloseTo(F, 6);
    expect(set.distance(0, u)).toBeCloseTo(5 - 0.5 * F, 6);
  });

  it('lets a soft handle stay away by its softness times its force', () => {
    const { set, hold } = handleSet(rod);
    // (S + ½) has the eigenvalue 1 along (−1, 1): a gap of 0.2 gives forces of 0.2, and half of the gap stays open.
    hold(rodHandles(-0.2, 0.2, 0.5), identity);
    const u = new Float64Array(3 * N);
    set.pull(u);
    expect(u[0]).toBeCloseTo(0.2, 9);
    expect(set.distance(1, u)).toBeCloseTo(0.5 * 0.2, 9);
  });

  it('says whether anything changed', () => {
    const { set, hold } = handleSet(rod);
    expect(hold(rodHandles(0, 0.1), identity)).toBe(true);
    expect(hold(rodHandles(0, 0.1), identity)).toBe(false);
    expect(hold(rodHandles(0, 0.2), identity)).toBe(true);
    expect(hold(rodHandles(0, 0.2, 0.5), identity)).toBe(true);
    expect(hold(rodHandles(0, 0.2, 0.5).slice(1), identity)).toBe(true);
    expect(set.count).toBe(1);
  });

  it.each([STRONG, 0.05])('minimises the cost over the unknowns where forces are at most %d (seed 5)', (pull) => {
    const random = new Random(5);
    for (let trial = 0; trial < 20; trial++) {
      const system = randomSystem(random);
      const handles = handlesOn(system.poser, [0, 3, 5, 6].slice(0, 2 + (trial % 3)), random, 0.5);
      const held = handleSet(system.poser, pull);
      held.hold(handles, system.K);
      const u = flat(Matrix.from1DArray(N, N, system.K).mmul(system.rhs));
      const handlePart = held.set.pull(u);
      const least = primalCost(system, held, handles, pull, u);
      // The handles' part of the cost is all of it but −½ gᵀu.
      const taken = flat(system.rhs).reduce((sum, g, k) => sum - 0.5 * g * u[k], 0);
      expect(handlePart + taken).toBeCloseTo(least, 8);
      for (let other = 0; other < 10; other++) {
        const shifted = u.map((value) => value + random.uniform(-1e-2, 1e-2));
        expect(primalCost(system, held, handles, pull, shifted)).toBeGreaterThan(least);
      }
    }
  });

  it('knows how its solution changes with the right-hand side: finite differences agree (seed 7)', () => {
    const random = new Random(7);
    const system = randomSystem(random);
    const handles = handlesOn(system.poser, [1, 2, 4], random, 0.3);
    const { set, hold } = handleSet(system.poser);
    hold(handles, system.K);
    const K = Matrix.from1DArray(N, N, system.K);
    const direction = Matrix.rand(N, 3, { random: () => random.uniform(-1, 1) });
    const solved = (step: number) => {
      const u = flat(K.mmul(Matrix.add(system.rhs, Matrix.mul(direction, step))));
      set.pull(u);
      return u;
    };
    const [after, before] = [solved(1e-4), solved(-1e-4)];
    // One example: three runs of two columns, of which the second is the example's.
    const x = new Float64Array(6 * N);
    for (let j = 0; j < N; j++) for (let r = 0; r < 3; r++) x[6 * j + 2 * r + 1] = direction.get(j, r);
    set.reserve(6);
    const heldX = new Float64Array(6 * handles.length);
    set.addMoves(
      x,
      Int32Array.from({ length: N }, (_, j) => j),
      6,
      heldX,
    );
    const body = new BodyBlend(system.poser, new Float64Array(system.poser.vertexProxies.length).fill(1));
    const u = solved(0);
    const yielding = set.hold(heldX, 6, 2, 1, u, body);
    const V = new Matrix(
      handles.map(({ vertex }) => {
        const relative = relativePositions(system.poser, system.poser.rig.mesh.positions);
        return constraintRow(system.poser, relative, vertex).mmul(K).to1DArray();
      }),
    );
    const free = flat(K.mmul(direction));
    for (let c = 0; c < handles.length; c++) {
      for (let r = 0; r < 3; r++) {
        const product = V.getRow(c).reduce((sum, value, j) => sum + value * direction.get(j, r), 0);
        expect(heldX[6 * c + 2 * r + 1]).toBeCloseTo(product, 10);
      }
    }
    for (let k = 0; k < 3 * N; k++) {
      let change = free[k];
      for (let c = 0; c < handles.length; c++) {
        change -= V.get(c, Math.floor(k / 3)) * yielding[6 * c + 2 * (k % 3) + 1];
      }
      expect((after[k] - before[k]) / 2e-4).toBeCloseTo(change, 6);
    }
  });

  it('is the same at any size and place (seed 11)', () => {
    const random = new Random(11);
    const system = randomSystem(random);
    const handles = handlesOn(system.poser, [0, 3, 5], random, 0.3);
    const solve = (scale: number, shift: number) => {
      const place = (value: number) => scale * value + shift;
      const { weights } = system.poser.rig.weights;
      const poser = poserOf({
        positions: Array.from(system.poser.rig.mesh.positions, place),
        weights: Array.from({ length: 8 }, (_, i) => [weights[2 * i], weights[2 * i + 1]] as const),
      });
      const { set, hold } = handleSet(poser);
      hold(
        handles.map((handle) => ({ ...handle, target: Array.from(handle.target, place) })),
        system.K,
      );
      const u = new Float64Array(3 * N);
      set.pull(u);
      return { u, distance: set.distance(1, u) / scale };
    };
    const reference = solve(1, 0);
    for (const [scale, shift] of [
      [1e6, 0],
      [1e-6, 0],
      [1, 8],
    ]) {
      const { u, distance } = solve(scale, shift);
      u.forEach((value, k) => {
        expect(value).toBeCloseTo(reference.u[k], 5);
      });
      expect(distance).toBeCloseTo(reference.distance, 5);
    }
  });

  it('recovers the controls from as many handles as they have unknowns (seed 13)', () => {
    const random = new Random(13);
    const { poser, K } = randomSystem(random);
    const { set, hold, x } = handleSet(poser);
    const truth = Matrix.rand(N, 3, { random: () => random.uniform(-0.2, 0.2) });
    const handles = Array.from({ length: 8 }, (_, vertex) => {
      const moved = constraintRow(poser, x, vertex).mmul(truth).to1DArray();
      return {
        vertex,
        target: moved.map((value, r) => poser.center[r] + poser.size * (x[3 * vertex + r] + value)),
      };
    });
    hold(handles, K);
    const u = new Float64Array(3 * N);
    set.pull(u);
    for (let k = 0; k < 3 * N; k++) {
      const moved = k % 12 < 9 ? 0 : set.offset[k % 3];
      expect(u[k] + moved).toBeCloseTo(truth.get(Math.floor(k / 3), k % 3), 2);
    }
  });

  it('carries handles with the details of the blend (seed 17)', () => {
    const random = new Random(17);
    const { poser, K } = randomSystem(random, 2);
    const { set, hold } = handleSet(poser);
    const handles = handlesOn(poser, [0, 7], random, 0).map((handle) => ({ ...handle, softness: 0 }));
    hold(handles, K);
    const beta = Float64Array.of(0.5, -0.25);
    set.setBlend(beta, K);
    const details = poser.exampleDetails;
    const rest = new Float64Array(3 * N);
    handles.forEach(({ vertex }, c) => {
      // At rest the vertex is where its details are, and the handles' targets are the rest pose.
      const shift = [0, 1, 2].map((r) => 0.5 * details[0][3 * vertex + r] - 0.25 * details[1][3 * vertex + r]);
      expect(set.distance(c, rest)).toBeCloseTo(Math.hypot(...shift), 6);
    });
    set.pull(rest);
    handles.forEach((_, c) => {
      expect(set.distance(c, rest)).toBeLessThan(1e-3);
    });
  });

  it('balances handles that contradict each other on one vertex', () => {
    const { set, hold } = handleSet(rod, 0.1);
    hold(
      [
        { vertex: 0, target: [-0.7, 0, 0] },
        { vertex: 0, target: [-0.3, 0, 0] },
      ],
      identity,
    );
    const u = new Float64Array(3 * N);
    expect(Number.isFinite(set.pull(u))).toBe(true);
    expect(set.distance(0, u)).toBeCloseTo(0.2, 6);
    expect(set.distance(1, u)).toBeCloseTo(0.2, 6);
  });

  it('keeps working as handles come beyond its capacity and go (seed 19)', () => {
    const random = new Random(19);
    const { poser, K } = randomSystem(random);
    const { set, hold } = handleSet(poser);
    const many = Array.from({ length: 40 }, (_, c) => ({ vertex: c % 8, target: [c / 40, 0, 0] }));
    hold(many, K);
    expect(set.capacity).toBeGreaterThanOrEqual(40);
    const u = new Float64Array(3 * N);
    expect(Number.isFinite(set.pull(u))).toBe(true);
    hold([], K);
    expect(set.count).toBe(0);
    const still = new Float64Array(3 * N);
    expect(set.pull(still)).toBe(0);
    expect(still.every((value) => value === 0)).toBe(true);
  });

  it('refuses handles that make no sense', () => {
    const { hold } = handleSet(rod);
    for (const handle of [
      { vertex: 2, target: [0, 0, 0] },
      { vertex: -1, target: [0, 0, 0] },
      { vertex: 0.5, target: [0, 0, 0] },
      { vertex: 0, target: [0, 0] },
      { vertex: 0, target: [0, Number.NaN, 0] },
      { vertex: 0, target: [0, 0, Number.POSITIVE_INFINITY] },
      { vertex: 0, target: [0, 0, 0], softness: -1 },
      { vertex: 0, target: [0, 0, 0], softness: Number.NaN },
    ]) {
      expect(() => hold([handle], identity)).toThrow(UsageError);
    }
  });
});
