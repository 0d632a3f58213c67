/** The lattices of the swinging scenes, in metres, kilograms and seconds. */

import { tunedRod } from '../physics/elastic-rod.ts';
import { type Lattice, type Spring, tuned } from '../physics/lattice.ts';
import { boneAt } from '../scene.ts';
import { ease } from '../shapes/rod.ts';
import type { Vector } from '../transform.ts';
import type { SwingName, SwingPart } from './swing.ts';

/** Lowest modes in Hz of the parts that have them. */
const TAIL_HERTZ = 2.1;
const BELLY_HERTZ = 5;
const EAR_HERTZ = 3;
/** N/m by which the arm holds every point of the sleeve. */
const SLEEVE_TIE = 0.4;

export const SWING_PARTS: Readonly<Record<SwingName, () => SwingPart>> = { tail, belly, ear, sleeve, cape };

interface Grid {
  readonly positions: number[];
  readonly triangles: number[];
  readonly springs: Spring[];
}

/** A grid of rows × columns points with springs along edges and diagonals, closed to a tube if so, faces outwards. */
function gridOf(rows: number, columns: number, closed: boolean, at: (r: number, c: number) => Vector): Grid {
  const grid: Grid = { positions: [], triangles: [], springs: [] };
  const index = (r: number, c: number) => r * columns + (c % columns);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) grid.positions.push(...at(r, c));
  const last = closed ? columns : columns - 1;
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const tie = (r2: number, c2: number, stiffness: number) => {
        if (r2 < rows && (closed || c2 < columns)) grid.springs.push({ a: index(r, c), b: index(r2, c2), stiffness });
      };
      tie(r, c + 1, 1);
      tie(r + 1, c, 1);
      tie(r + 1, c + 1, 0.5);
      if (r + 1 < rows && (closed || c > 0)) {
        grid.springs.push({ a: index(r, c), b: index(r + 1, c + columns - 1), stiffness: 0.5 });
      }
      if (r + 1 < rows && c < last) {
        const [a, b, d, e] = [index(r, c), index(r, c + 1), index(r + 1, c), index(r + 1, c + 1)];
        grid.triangles.push(a, d, b, b, d, e);
      }
    }
  }
  return grid;
}

function meshOf(name: string, { positions, triangles }: Grid) {
  return { name, positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

function latticeOf(
  positions: readonly number[],
  springs: readonly Spring[],
  bones: number,
  tie: (x: number, y: number, z: number) => number,
  shares: (x: number, y: number, z: number) => readonly number[],
  mass: number,
  [drag, viscosity]: readonly [number, number],
): Lattice {
  const n = positions.length / 3;
  const point = (i: number) => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]] as const;
  return {
    positions: Float64Array.from(positions),
    masses: new Float64Array(n).fill(mass / n),
    springs,
    carriers: Float64Array.from({ length: n * bones }, (_, k) => shares(...point(Math.floor(k / bones)))[k % bones]),
    ties: Float64Array.from({ length: n }, (_, i) => tie(...point(i))),
    drag,
    viscosity,
  };
}

/** Lightly damped: a rod along −z, clamped at its root. */
function tail(): SwingPart {
  const [points, sides, length] = [12, 8, 0.6];
  const section = (s: number, angle: number): Vector => {
    const radius = 0.04 - 0.025 * s;
    return [radius * Math.cos(angle), radius * Math.sin(angle), 0];
  };
  const core = { from: [0, 0, 0], to: [0, 0, -length] } as const;
  return {
    ...rodPart('tail', core, points, sides, section, { hertz: TAIL_HERTZ, mass: 0.6, drag: 0.9, viscosity: 0.001 }),
    bones: [boneAt('hips', -1, [0, 0, 0])],
    hinges: [],
    chain: Array.from({ length: 6 }, (_, k) => [0, 0, (-length * k) / 5] as const),
  };
}

/** A torso whose front is soft: every mass on a tie of its own, stiffer towards the rim, and coupled to its neighbours. */
function belly(): SwingPart {
  const [rings, sides] = [13, 18];
  const grid = gridOf(rings, sides, true, (r, c) => {
    const [polar, angle] = [Math.PI * (0.06 + (0.88 * r) / (rings - 1)), (2 * Math.PI * c) / sides];
    return [0.18 * Math.sin(polar) * Math.cos(angle), 0.26 * Math.cos(polar), 0.2 * Math.sin(polar) * Math.sin(angle)];
  });
  const soft = (_x: number, y: number, z: number) => ease(-0.02, 0.17, z) * (1 - ease(0.02, 0.16, Math.abs(y + 0.03)));
  const tie = (x: number, y: number, z: number) => {
    const s = soft(x, y, z);
    return s < 0.02 ? Number.POSITIVE_INFINITY : 1 / s;
  };
  const shares = (_x: number, y: number) => [1 - ease(-0.05, 0.15, y), ease(-0.05, 0.15, y)];
  const springs = grid.springs.map((spring) => ({ ...spring, stiffness: 0.5 * spring.stiffness }));
  const lattice = latticeOf(grid.positions, springs, 2, tie, shares, 12, [1.5, 0.0025]);
  return {
    mesh: meshOf('belly', grid),
    lattice: tuned(lattice, BELLY_HERTZ),
    bones: [boneAt('hips', -1, [0, -0.15, 0]), boneAt('spine', 0, [0, 0, -0.05])],
    hinges: [
      { bone: 1, axis: [1, 0, 0], amplitude: 0.2 },
      { bone: 1, axis: [0, 1, 0], amplitude: 0.2 },
    ],
    chain: [
      [0, -0.03, 0],
      [0, -0.03, 0.2],
    ],
  };
}

/** A flat rod on a head that nods and turns. */
function ear(): SwingPart {
  const core = { from: [0.05, 0.12, 0], to: [0.27, 0.22, 0] } as const;
  const section = (s: number, angle: number): Vector => {
    const width = 0.02 + 0.03 * Math.sin(Math.PI * (0.15 + 0.8 * s));
    return [-0.005 * Math.sin(angle), 0.011 * Math.sin(angle), width * Math.cos(angle)];
  };
  return {
    ...rodPart('ear', core, 10, 8, section, { hertz: EAR_HERTZ, mass: 0.08, drag: 1.6, viscosity: 0.001 }),
    bones: [boneAt('neck', -1, [0, 0, 0]), boneAt('head', 0, [0, 0.06, 0])],
    hinges: [
      { bone: 1, axis: [1, 0, 0], amplitude: 0.25 },
      { bone: 1, axis: [0, 1, 0], amplitude: 0.35 },
      { bone: 1, axis: [0, 0, 1], amplitude: 0.2 },
    ],
    chain: [0, 1, 2, 3].map((k) => [0.05 + (0.22 * k) / 3, 0.12 + (0.1 * k) / 3, 0] as const),
  };
}

/** A tube about an elastic rod; the last bone clamps it. */
function rodPart(
  name: string,
  { from, to }: { readonly from: Vector; readonly to: Vector },
  N: number,
  sides: number,
  section: (s: number, angle: number) => Vector,
  { hertz, mass, drag, viscosity }: { hertz: number; mass: number; drag: number; viscosity: number },
) {
  const at = (k: number, c: number) => from[c] + ((to[c] - from[c]) * k) / (N - 1);
  const points = Float64Array.from({ length: 3 * N }, (_, k) => at(Math.floor(k / 3), k % 3));
  const masses = new Float64Array(N).fill(mass / N);
  const rod = tunedRod({ points, masses, stiffness: 1, drag, viscosity }, hertz);
  const offset = (r: number, c: number) => section(r / (N - 1), (2 * Math.PI * c) / sides);
  const grid = gridOf(N, sides, true, (r, c) => {
    const d = offset(r, c);
    return [at(r, 0) + d[0], at(r, 1) + d[1], at(r, 2) + d[2]];
  });
  return { mesh: meshOf(name, grid), rod, offset };
}

/** A loose sleeve that hangs on an arm with an elbow: heavily damped, with contact. */
function sleeve(): SwingPart {
  const [rings, sides, length] = [15, 12, 0.55];
  const grid = gridOf(rings, sides, true, (r, c) => {
    const [s, angle] = [r / (rings - 1), (2 * Math.PI * c) / sides];
    const radius = 0.06 + 0.025 * s;
    return [length * s, radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  const held = (x: number) => (x < 0.03 ? Number.POSITIVE_INFINITY : SLEEVE_TIE);
  const bend = (x: number) => [1 - ease(0.22, 0.36, x), ease(0.22, 0.36, x)];
  const springs = grid.springs.map((spring) => ({ ...spring, stiffness: 50 * spring.stiffness }));
  return {
    mesh: meshOf('sleeve', grid),
    lattice: latticeOf(grid.positions, springs, 2, held, bend, 0.25, [4, 0.0015]),
    bones: [boneAt('shoulder', -1, [0, 0, 0]), boneAt('elbow', 0, [0.29, 0, 0])],
    hinges: [
      { bone: 0, axis: [0, 0, 1], amplitude: 0.35 },
      { bone: 0, axis: [0, 1, 0], amplitude: 0.3 },
      { bone: 1, axis: [0, 1, 0], amplitude: 0.6 },
    ],
    capsules: [
      { bone: 0, from: [0, 0, 0], to: [0.29, 0, 0], radius: 0.045 },
      { bone: 1, from: [0.29, 0, 0], to: [0.6, 0, 0], radius: 0.04 },
    ],
    air: 1.5,
    hangs: true,
    chain: [0, 1, 2, 3, 4].map((k) => [(length * k) / 4, 0, 0] as const),
  };
}

/** A loose cape on shoulders before a back: large swings and contact. */
function cape(): SwingPart {
  const [rows, columns, height] = [11, 9, 0.8];
  const grid = gridOf(rows, columns, false, (r, c) => {
    const s = r / (rows - 1);
    const x = (0.4 + 0.25 * s) * (c / (columns - 1) - 0.5);
    return [x, 1.4 - height * s, -0.13 - 0.1 * s + 0.2 * x * x];
  });
  const held = (_x: number, y: number) => (y > 1.39 ? Number.POSITIVE_INFINITY : 0);
  const springs = grid.springs.map((spring) => ({ ...spring, stiffness: 60 * spring.stiffness }));
  return {
    mesh: meshOf('cape', grid),
    lattice: latticeOf(grid.positions, springs, 1, held, () => [1], 0.5, [0.2, 0.003]),
    bones: [boneAt('chest', -1, [0, 1.2, 0])],
    hinges: [],
    capsules: [{ bone: 0, from: [0, 0.4, 0], to: [0, 1.3, 0], radius: 0.12 }],
    air: 0.6,
    hangs: true,
    chain: [0, 1, 2, 3, 4, 5].map((k) => [0, 1.4 - (height * k) / 5, -0.13 - 0.02 * k] as const),
  };
}
