import { elbowScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { coarseExamples } from '../../../src/envelope/training/coarse-examples.ts';
import { examplesOf } from '../../../src/envelope/training/examples.ts';

const examples = () => {
  const { rig, clip, sequence } = elbowScene();
  return examplesOf('test', { rig, clip, sequence }, undefined);
};

describe('coarseExamples', () => {
  it('keeps examples that are small enough', () => {
    const given = examples();
    expect(coarseExamples(given, given.mesh.positions.length / 3)).toBe(given);
  });

  it('takes vertices of the mesh with their shapes, and triangles between them', () => {
    const given = examples();
    const coarse = coarseExamples(given, 60);
    expect(coarse.mesh.positions).toHaveLength(180);
    const rows = (values: Float32Array) =>
      Array.from({ length: values.length / 3 }, (_, i) => values.subarray(3 * i, 3 * i + 3).join());
    const known = new Map(rows(given.mesh.positions).map((row, i) => [row, i]));
    rows(coarse.mesh.positions).forEach((row, k) => {
      const i = known.get(row);
      expect(i).toBeDefined();
      expect(coarse.shapes.map((shape) => rows(shape)[k])).toEqual(
        given.shapes.map((shape) => rows(shape)[i as number]),
      );
    });
    const { triangles } = coarse.mesh;
    expect(triangles.length).toBeGreaterThan(3 * 60);
    for (let k = 0; k < triangles.length; k += 3) {
      const corners = new Set(triangles.subarray(k, k + 3));
      expect(corners.size).toBe(3);
      for (const i of corners) expect(i).toBeLessThan(60);
    }
    expect(new Set(triangles).size).toBe(60);
  });
});
