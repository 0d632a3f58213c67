import { describe, expect, it } from 'vitest';
import { firstAtPlace, hingesOf, roughness } from '../../src/viewport/surface-roughness.ts';

/** Two triangles with an edge between, the second one turned up about it by an angle. */
const hinge = (angle: number) => [0, 0, 0, 1, 0, 0, 0.5, -1, 0, 0.5, Math.cos(angle), Math.sin(angle)];
const TRIANGLES = [0, 2, 1, 0, 1, 3];

describe('roughness', () => {
  it('is nothing at rest, and the angle of the one edge that is bent', () => {
    const hinges = hingesOf(TRIANGLES, [0, 1, 2, 3]);
    expect(hinges).toHaveLength(4);
    expect(roughness(hinges, hinge(0.3), hinge(0.3))).toBe(0);
    for (const angle of [0.5, -0.5, 2]) {
      expect(roughness(hinges, hinge(0), hinge(angle))).toBeCloseTo((Math.abs(angle) * 180) / Math.PI, 6);
    }
  });

  it('is the same of a turned and of a larger model', () => {
    const hinges = hingesOf(TRIANGLES, [0, 1, 2, 3]);
    const turned = (places: number[]) => places.map((_, k) => 1e6 * places[3 * Math.floor(k / 3) + ((k + 1) % 3)]);
    expect(roughness(hinges, turned(hinge(0)), turned(hinge(1)))).toBeCloseTo(180 / Math.PI, 4);
  });

  it('takes a seam for no edge, and survives triangles without an area', () => {
    const doubled = [...hinge(0), 0, 0, 0, 1, 0, 0];
    const same = firstAtPlace(doubled);
    expect([...same]).toEqual([0, 1, 2, 3, 0, 1]);
    expect(hingesOf([0, 2, 1, 4, 5, 3], same)).toHaveLength(4);
    const flat = new Float32Array(12);
    expect(roughness(hingesOf(TRIANGLES, [0, 1, 2, 3]), flat, hinge(1))).toBe(0);
    expect(roughness(new Int32Array(0), [], [])).toBe(0);
  });
});
