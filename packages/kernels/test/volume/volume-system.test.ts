import { NumericError, type Numerics, openNumerics, Random, rotationExp } from '@pelt/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VolumeSystem } from '../../src/index.ts';
import { gradientOperators } from '../../src/volume/gradient-operators.ts';
import { bar, largestDifference } from './bar.ts';
import { plainStep } from './plain-step.ts';

describe('volume system', () => {
  const pools: Numerics[] = [];
  beforeAll(async () => {
    for (const threads of [1, 2, 3]) pools.push(await openNumerics({ threads }));
  });
  afterAll(() => {
    for (const pool of pools) pool.close();
  });

  it.each([0, 20])('keeps the rest pose with volume weight %i', (weight) => {
    const { rest, tetrahedra, ends } = bar(6);
    const system = new VolumeSystem(pools[0], rest, tetrahedra, { fixed: ends });
    const out = system.step(weight, new Float64Array(3 * system.free.length));
    const expected = [...system.free].flatMap((v) => [...rest.subarray(3 * v, 3 * v + 3)]);
    expect(largestDifference(out, expected)).toBeLessThan(1e-12);
    system.dispose();
  });

  it('solves one cube with three free corners as the plain version does', () => {
    const { rest, tetrahedra } = bar(1);
    const fixed = Uint32Array.from({ length: 15 }, (_, k) => k);
    const system = new VolumeSystem(pools[0], rest, tetrahedra, { fixed });
    const x = system.positions.view;
    for (let k = 0; k < x.length; k += 3) x[k + 1] += 0.3 * x[k];
    const out = system.step(3, new Float64Array(9));
    expect([...system.free]).toEqual([15, 16, 17]);
    expect(largestDifference(out, plainStep(rest, tetrahedra, { fixed }, { x }, 3))).toBeLessThan(1e-9);
    system.dispose();
  });

  it.each([1e-6, 1, 1e6])('turns as its fixed vertices turn, at scale %f', (scale) => {
    const { rest, tetrahedra, ends } = bar(5, scale);
    const system = new VolumeSystem(pools[0], rest, tetrahedra, { fixed: ends });
    const turn = new Float64Array(9);
    rotationExp([0.7, -1.9, 0.4], 0, turn, 0);
    const moved = rest.map((_, k) => {
      const [v, axis] = [3 * Math.floor(k / 3), k % 3];
      return turn[3 * axis] * rest[v] + turn[3 * axis + 1] * rest[v + 1] + turn[3 * axis + 2] * rest[v + 2] + scale;
    });
    system.positions.view.set(moved);
    for (const weight of [0, 20]) {
      const out = system.step(weight, new Float64Array(3 * system.free.length));
      const expected = [...system.free].flatMap((v) => [...moved.subarray(3 * v, 3 * v + 3)]);
      expect(largestDifference(out, expected) / scale).toBeLessThan(1e-11);
    }
    system.dispose();
  });

  it.each([0, 0.5, 20])('agrees with the plain version on a wild pose, weight %f', (weight) => {
    const { rest, tetrahedra, ends } = bar(40);
    const random = new Random(11);
    const system = new VolumeSystem(pools[0], rest, tetrahedra, { fixed: ends });
    const x = system.positions.view;
    // Enough noise to invert some tetrahedra and to flatten others.
    for (let k = 0; k < x.length; k++) x[k] = (k % 3 === 2 ? 0.6 : 1) * x[k] + 0.5 * (random.uniform() - 0.5);
    const out = system.step(weight, new Float64Array(3 * system.free.length));
    expect(largestDifference(out, plainStep(rest, tetrahedra, { fixed: ends }, { x }, weight))).toBeLessThan(1e-8);
    system.dispose();
  });

  it.each([{ bending: 1 }, { rotationWeight: 1 }, { bending: 0.5, rotationWeight: 2 }])(
    'agrees with the plain version with held vertices and %o',
    (terms) => {
      const { rest, tetrahedra, ends } = bar(12);
      const random = new Random(3);
      const [fixed, held] = [ends.subarray(0, 3), ends.subarray(5)];
      const options = { fixed, held, stiffness: 0.01, ...terms };
      const system = new VolumeSystem(pools[0], rest, tetrahedra, options);
      const x = system.positions.view;
      for (let k = 0; k < x.length; k++) x[k] += 0.2 * (random.uniform() - 0.5);
      const places = [...held].map((i) => [0, 1, 2].map((axis) => rest[3 * i + axis] + random.uniform(-1, 1)));
      system.places.view.set(places.flat());
      const quaternions = Array.from({ length: rest.length / 3 }, (_, v) => {
        const angle = 0.05 * rest[3 * v];
        return [Math.sin(angle), 0, 0, Math.cos(angle)];
      });
      system.setRotations((out) => out.set(quaternions.flat()));
      const out = system.step(20, new Float64Array(3 * system.free.length));
      expect(largestDifference(out, plainStep(rest, tetrahedra, options, { x, places, quaternions }, 20))).toBeLessThan(
        1e-8,
      );
      system.dispose();
    },
  );

  it('keeps a bar that is turned as a whole, whatever it resists', () => {
    const { rest, tetrahedra, ends } = bar(5);
    const system = new VolumeSystem(pools[0], rest, tetrahedra, { held: ends, bending: 1, rotationWeight: 1 });
    const turned = rest.map((value, k) => [-rest[k + 1], rest[k - 1], value][k % 3]);
    system.positions.view.set(turned);
    system.places.view.set([...ends].flatMap((v) => [...turned.subarray(3 * v, 3 * v + 3)]));
    system.setRotations((out) => out.set(Array.from({ length: out.length }, (_, k) => (k % 4 < 2 ? 0 : 1))));
    const out = system.step(40, new Float64Array(rest.length));
    expect(largestDifference(out, turned)).toBeLessThan(1e-12);
    system.dispose();
  });

  it('draws held vertices to their places, the more the stiffer', () => {
    const { rest, tetrahedra, ends } = bar(6);
    const far = [1e-4, 1e-2, 1].map((stiffness) => {
      const system = new VolumeSystem(pools[0], rest, tetrahedra, { held: ends, stiffness });
      const places = system.places.view;
      // The two ends, by turns, are drawn apart.
      for (let k = 0; k < ends.length; k++) places[3 * k] += k % 2 === 0 ? -1 : 1;
      const out = system.step(0, new Float64Array(rest.length));
      const missing = Math.max(...[...ends].map((v, k) => Math.abs(out[3 * v] - places[3 * k])));
      system.dispose();
      return missing;
    });
    expect(far[0]).toBeGreaterThan(0.9);
    expect(far[1]).toBeLessThan(far[0]);
    expect(far[2]).toBeLessThan(0.2 * far[1]);
  });

  it('survives tetrahedra that are collapsed to a plane, a line and a point', () => {
    const { rest, tetrahedra, ends } = bar(4);
    const system = new VolumeSystem(pools[0], rest, tetrahedra, { fixed: ends });
    for (let flat = 1; flat <= 3; flat++) {
      const x = system.positions.view;
      for (let k = 0; k < x.length; k++) if (k % 3 < flat) x[k] = 0;
      for (const weight of [0, 20]) {
        const out = system.step(weight, new Float64Array(3 * system.free.length));
        expect(out.every((value) => Number.isFinite(value) && Math.abs(value) < 1e3)).toBe(true);
      }
    }
    system.dispose();
  });

  it('follows given rotations', () => {
    const { rest, tetrahedra, ends } = bar(4);
    const system = new VolumeSystem(pools[0], rest, tetrahedra, { fixed: ends });
    // A quarter turn about z, of any length and sign.
    const quaternions = new Float64Array((4 * rest.length) / 3);
    for (let v = 0; v < quaternions.length / 4; v++) quaternions.set([0, 0, v % 2 ? 2 : -2, v % 2 ? 2 : -2], 4 * v);
    const turned = rest.map((value, k) => [-rest[k + 1], rest[k - 1], value][k % 3]);
    system.positions.view.set(turned);
    const scope = pools[0].scope();
    const out = scope.f64(3 * system.free.length);
    expect(() => system.stepFromRotations(out)).toThrow(/no rotations/);
    system.setRotations((view) => view.set(quaternions));
    system.stepFromRotations(out);
    const expected = [...system.free].flatMap((v) => [...turned.subarray(3 * v, 3 * v + 3)]);
    expect(largestDifference(out.view, expected)).toBeLessThan(1e-12);
    scope.dispose();
    system.dispose();
  });

  it('takes the shape of given stretches, and forgets them', () => {
    const { rest, tetrahedra, ends } = bar(4);
    const system = new VolumeSystem(pools[0], rest, tetrahedra, { fixed: ends });
    // Everything half as long along x, twice as wide along y, with a shear between y and z.
    const stretch = [0.5, 0, 0, 2, 0.3, 1];
    const shaped = rest.map((_, k) => {
      const v = 3 * Math.floor(k / 3);
      const [a, b, c] = [
        [stretch[0], stretch[1], stretch[2]],
        [stretch[1], stretch[3], stretch[4]],
        [stretch[2], stretch[4], stretch[5]],
      ][k % 3];
      return a * rest[v] + b * rest[v + 1] + c * rest[v + 2];
    });
    system.setShapes(Float64Array.from({ length: 6 * system.tetrahedronCount }, (_, k) => stretch[k % 6]));
    system.positions.view.set(shaped);
    const expected = [...system.free].flatMap((v) => [...shaped.subarray(3 * v, 3 * v + 3)]);
    for (const weight of [0, 20]) {
      const out = system.step(weight, new Float64Array(3 * system.free.length));
      expect(largestDifference(out, expected)).toBeLessThan(1e-11);
    }
    system.setShapes(undefined);
    const without = system.step(0, new Float64Array(3 * system.free.length));
    expect(largestDifference(without, expected)).toBeGreaterThan(0.1);
    expect(() => system.setShapes(new Float64Array(6 * system.tetrahedronCount))).toThrow(/singular/);
    expect(() => system.setShapes(new Float64Array(7))).toThrow(NumericError);
    system.dispose();
  });

  it('gives the same bits for 1, 2 and 3 threads, and leaves no memory behind', () => {
    const { rest, tetrahedra, ends } = bar(60);
    const results = pools.map((pool) => {
      const before = pool.allocatedBytes;
      const system = new VolumeSystem(pool, rest, tetrahedra, { fixed: ends });
      for (let k = 0; k < rest.length; k += 3) system.positions.view[k + 1] += Math.sin(rest[k]);
      const out = system.step(20, new Float64Array(3 * system.free.length));
      system.dispose();
      // Each thread keeps its scratch for the next job.
      expect(pool.allocatedBytes - before).toBeLessThan(1e6);
      return out;
    });
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  it('has gradients that give affine maps back', () => {
    const { rest, tetrahedra } = bar(3);
    const operators = gradientOperators(rest, tetrahedra);
    const map = [1, 2, 3, -4, 5, 0.5, 7, -2, 9];
    for (let e = 0; e < tetrahedra.length / 4; e++) {
      const gradient = new Float64Array(9);
      for (let a = 1; a < 4; a++) {
        for (let row = 0; row < 3; row++) {
          let edge = 0;
          for (let k = 0; k < 3; k++) {
            edge += map[3 * row + k] * (rest[3 * tetrahedra[4 * e + a] + k] - rest[3 * tetrahedra[4 * e] + k]);
          }
          for (let k = 0; k < 3; k++) gradient[3 * row + k] += edge * operators[10 * e + 3 * (a - 1) + k];
        }
      }
      expect(largestDifference(gradient, map)).toBeLessThan(1e-11);
    }
  });

  it('refuses flat tetrahedra, vertices that are not there and parts that nothing holds', () => {
    const { rest, tetrahedra, ends } = bar(2);
    const flat = rest.slice();
    for (let k = 0; k < flat.length; k += 3) flat[k] = 0;
    expect(() => new VolumeSystem(pools[0], flat, tetrahedra, { fixed: ends })).toThrow(/tetrahedron 0 has the volume/);
    expect(() => new VolumeSystem(pools[0], rest, tetrahedra, { fixed: Uint32Array.of(99) })).toThrow(/vertex 99/);
    expect(() => new VolumeSystem(pools[0], rest, tetrahedra, {})).toThrow(/not positive definite/);
  });
});
