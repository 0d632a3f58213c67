import { describe, expect, it } from 'vitest';
import { cameraAxes, FIELD_OF_VIEW, fitCamera } from '../../src/drawing/framing.ts';

describe('framing', () => {
  const aspects = [0.5, 1, 2.5];
  const cloud = Array.from({ length: 200 }, (_, k) => [Math.sin(k) * 3, Math.cos(k * 1.7), Math.sin(k * 0.3) * 7 + 4]);

  it.each(aspects)('touches the margin and nothing leaves the picture, aspect %d', (aspect) => {
    for (const direction of [
      [1, 0.3, 0.5],
      [0, 1, 0],
      [-1, -1, -1],
    ]) {
      const axes = cameraAxes(direction, [0, 1, 0]);
      const { position, near, far } = fitCamera(cloud, axes, aspect, 0.1);
      const tangent = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
      let largest = 0;
      for (const point of cloud) {
        const offset = point.map((value, c) => value - position[c]);
        const along = (axis: number[]) => offset.reduce((sum, value, c) => sum + value * axis[c], 0);
        const depth = -along(axes.back);
        expect(depth).toBeGreaterThan(near);
        expect(depth).toBeLessThan(far);
        largest = Math.max(
          largest,
          Math.abs(along(axes.right)) / (depth * tangent * aspect),
          Math.abs(along(axes.up)) / (depth * tangent),
        );
      }
      expect(largest).toBeCloseTo(0.8, 6);
    }
  });

  it('has a finite answer for a point and for nothing', () => {
    const axes = cameraAxes([0, 0, 1], [0, 1, 0]);
    for (const points of [[], [[5, 5, 5]]]) {
      const { position, near, far } = fitCamera(points, axes, 1, 0.1);
      expect([...position, near, far].every(Number.isFinite)).toBe(true);
      expect(near).toBeGreaterThan(0);
      expect(far).toBeGreaterThan(near);
    }
  });
});
