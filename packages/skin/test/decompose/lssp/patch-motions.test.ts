import { openNumerics } from '@pelt/math';
import { afterAll, describe, expect, it } from 'vitest';
import { farthestVertices, patchMotions } from '../../../src/decompose/lssp/patch-motions.ts';
import { edgeGraph } from '../../../src/shared/mesh/edge-graph.ts';
import { prepareTrajectories } from '../../../src/shared/trajectories.ts';
import { movingBoxes } from '../moving-boxes.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

describe('farthestVertices', () => {
  it('goes to the far end first, then to the middle', () => {
    const line = Float64Array.from({ length: 15 }, (_, k) => (k % 3 === 0 ? k / 3 : 0));
    expect(farthestVertices(line, 3)).toEqual(Int32Array.of(0, 4, 2));
  });

  it('takes every vertex once where as many are asked for, coinciding ones too', () => {
    const points = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0);
    expect([...farthestVertices(points, 9)].sort()).toEqual([0, 1, 2, 3]);
  });
});

describe('patchMotions', () => {
  it('finds the motion of the part that a landmark is on', () => {
    const turns = [0.3, -0.2];
    const boxes = movingBoxes(
      4,
      turns.map((speed) => (t) => ({ turn: speed * t, move: [0, t, speed] })),
    );
    const { trajectories } = prepareTrajectories(boxes, numerics);
    const count = boxes.rest.positions.length / 3;
    const motions = patchMotions(trajectories, edgeGraph(boxes.rest.triangles, count), Int32Array.of(0, count - 1));
    for (let t = 0; t < 4; t++) {
      turns.forEach((speed, j) => {
        const at = (t * 2 + j) * 12;
        expect(motions[at]).toBeCloseTo(Math.cos(speed * t), 5);
        expect(motions[at + 4]).toBeCloseTo(Math.sin(speed * t), 5);
        expect(motions[at + 10]).toBeCloseTo(1, 5);
      });
    }
  });

  it('gives a rotation where a vertex stands alone', () => {
    const boxes = movingBoxes(2, [() => ({ turn: 1, move: [0, 0, 0] })]);
    const { trajectories } = prepareTrajectories(boxes, numerics);
    const alone = edgeGraph(new Uint32Array(0), boxes.rest.positions.length / 3);
    const motions = patchMotions(trajectories, alone, Int32Array.of(3));
    expect(motions.every(Number.isFinite)).toBe(true);
    expect(motions[0] ** 2 + motions[1] ** 2 + motions[2] ** 2).toBeCloseTo(1, 9);
  });
});
