import { Random } from '@pelt/math';
import type { TetMesh } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { tetrahedralize } from '../../../src/tetrahedra/tetrahedralize.ts';
import { measureBody } from '../../../src/volume/runtime/body-measures.ts';
import { Untangler } from '../../../src/volume/runtime/untangle.ts';
import { meshOf, sphere } from '../shapes.ts';

const NONE = new Uint32Array(0);

describe('untangling', () => {
  const { mesh: ball } = tetrahedralize(sphere(2));

  it('leaves a body without inverted tetrahedra as it is, to the last bit', () => {
    const positions = Float64Array.from(ball.positions, (value, k) => (k % 3 === 0 ? 0.3 * value : value));
    const before = positions.slice();
    new Untangler(ball, NONE, false).open(positions);
    expect(positions).toEqual(before);
  });

  it('turns one tetrahedron right side out with the vertex that is free', () => {
    const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    const body: TetMesh = { ...meshOf('one', corners, []), tetrahedra: Uint32Array.of(0, 1, 2, 3), surface: NONE };
    const positions = Float64Array.from(corners);
    positions[11] = -0.5;
    new Untangler(body, Uint32Array.of(0, 1, 2), false).open(positions);
    // The free vertex goes straight up, through the face, to where a small share of the volume is back.
    expect([...positions.subarray(0, 11)]).toEqual(corners.slice(0, 11));
    expect(positions[11]).toBeCloseTo(0.12, 12);
  });

  it('opens tangles of a ball, and moves nothing that is not about them', () => {
    const random = new Random(3);
    const inner = Array.from({ length: ball.positions.length / 3 }, (_, v) => v).filter((v) => {
      return Math.hypot(...ball.positions.subarray(3 * v, 3 * v + 3)) < 0.7;
    });
    const surface = Uint32Array.from(new Set(ball.surface));
    for (let trial = 0; trial < 20; trial++) {
      const positions = Float64Array.from(ball.positions);
      const v = inner[random.integer(inner.length)];
      for (let axis = 0; axis < 3; axis++) positions[3 * v + axis] += 0.4 * random.normal();
      const tangled = positions.slice();
      new Untangler(ball, surface, false).open(positions);
      expect(measureBody(ball, positions).inverted, `trial ${trial}`).toBe(0);
      for (const i of surface) expect(positions.subarray(3 * i, 3 * i + 3)).toEqual(tangled.subarray(3 * i, 3 * i + 3));
    }
  });

  it('gives up where every corner is held, and leaves it as it is', () => {
    const positions = Float64Array.from(ball.positions, (value) => -value);
    const before = positions.slice();
    new Untangler(
      ball,
      Uint32Array.from({ length: ball.positions.length / 3 }, (_, v) => v),
      false,
    ).open(positions);
    expect(positions).toEqual(before);
  });

  it('stops early where a body is torn, with no more inverted than before', () => {
    // Every other vertex far away: no sweep can bring them together while they are held.
    const positions = Float64Array.from(ball.positions, (x, k) => (Math.floor(k / 3) % 2 === 0 ? x : x + 50));
    const held = Uint32Array.from({ length: ball.positions.length / 3 }, (_, v) => v).filter((v) => v % 7 !== 0);
    const before = measureBody(ball, positions).inverted;
    const sweeps = new Untangler(ball, held, false).open(positions);
    expect(before).toBeGreaterThan(0.1 * (ball.tetrahedra.length / 4));
    expect(measureBody(ball, positions).inverted).toBeLessThanOrEqual(before);
    expect(sweeps).toBeLessThanOrEqual(100);
  });

  it('moves held vertices where they may yield and nothing else helps, and only there', () => {
    const held = Uint32Array.from({ length: ball.positions.length / 3 }, (_, v) => v);
    const positions = Float64Array.from(ball.positions);
    // One inner vertex is thrown across the ball.
    const v = held.findLast((i) => Math.hypot(...ball.positions.subarray(3 * i, 3 * i + 3)) < 0.6) as number;
    for (let axis = 0; axis < 3; axis++) positions[3 * v + axis] -= 0.6;
    const before = positions.slice();
    new Untangler(ball, held, true).open(positions);
    expect(measureBody(ball, positions).inverted).toBe(0);
    const moved = held.filter((i) => [0, 1, 2].some((axis) => positions[3 * i + axis] !== before[3 * i + axis]));
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.length).toBeLessThan(0.5 * held.length);
  });
});
