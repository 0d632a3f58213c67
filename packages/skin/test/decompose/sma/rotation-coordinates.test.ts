import { openNumerics } from '@pelt/math';
import { afterAll, describe, expect, it } from 'vitest';
import { rotationCoordinates } from '../../../src/decompose/sma/rotation-coordinates.ts';
import { movingBoxes } from '../moving-boxes.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('rotationCoordinates', () => {
  /** Distance between the points of two triangles. */
  const distance = (coordinates: Float64Array, dimension: number, a: number, b: number) => {
    let squared = 0;
    for (let d = 0; d < dimension; d++)
      squared += (coordinates[a * dimension + d] - coordinates[b * dimension + d]) ** 2;
    return Math.sqrt(squared);
  };

  it('is 0 where nothing turns', () => {
    const { coordinates } = rotationCoordinates(
      movingBoxes(3, [() => ({ turn: 0, move: [1, 0, 0] })]),
      0.01,
      8,
      numerics,
    );
    expect(coordinates.every((x) => Math.abs(x) < 1e-3)).toBe(true);
  });

  it('keeps the distances between rotation sequences', () => {
    const turns = [0, 0.3, 1.1];
    const sequence = movingBoxes(
      4,
      turns.map((speed) => (t) => ({ turn: speed * t, move: [0, 0, t] })),
    );
    const { coordinates, dimension } = rotationCoordinates(sequence, 1e-9, 20, numerics);
    const each = sequence.rest.triangles.length / 9;
    for (const [a, b] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      // ‖R − R'‖² = 4(1 − cos) for a turn of the difference, frame by frame.
      let squared = 0;
      for (let t = 0; t < 4; t++) squared += 4 * (1 - Math.cos((turns[a] - turns[b]) * t));
      expect(distance(coordinates, dimension, a * each, b * each)).toBeCloseTo(Math.sqrt(squared), 3);
    }
    expect(distance(coordinates, dimension, 0, each - 1)).toBeLessThan(1e-3);
  });

  it('does not see a motion of the whole, nor its size', () => {
    const motions = [0.2, 0.5].map((speed) => (t: number) => ({ turn: speed * t, move: [0, 0, 0] as const }));
    const plain = rotationCoordinates(movingBoxes(3, motions), 0, 6, numerics);
    const large = rotationCoordinates(movingBoxes(3, motions, { scale: 1024, offset: 2048 }), 0, 6, numerics);
    const each = plain.coordinates.length / plain.dimension / 2;
    expect(distance(large.coordinates, large.dimension, 0, each)).toBeCloseTo(
      distance(plain.coordinates, plain.dimension, 0, each),
      3,
    );
  });

  it('takes points without triangles, and triangles without area', () => {
    const sequence = movingBoxes(2, [() => ({ turn: 0, move: [0, 0, 0] })]);
    const bare = { ...sequence, rest: { ...sequence.rest, triangles: new Uint32Array(0) } };
    expect(rotationCoordinates(bare, 0.05, 8, numerics)).toEqual({ dimension: 1, coordinates: new Float64Array(0) });
    const flat = { ...sequence, rest: { ...sequence.rest, triangles: Uint32Array.of(0, 0, 1, 2, 2, 2) } };
    expect(rotationCoordinates(flat, 0.05, 8, numerics).coordinates).toEqual(new Float64Array(2));
  });
});
