import { InputError, type Motion, UsageError } from '@pelt/model';
import { dogCharacter, PERFORMER_JOINTS, performerPose } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { type ProjectionTable, studyProjections } from '../../../src/puppet/index.ts';

/** The arms are raised while the legs step. */
const poses = Array.from({ length: 40 }, (_, t) =>
  performerPose({
    leftShoulder: { degrees: [0, 0, 4 * t] },
    rightShoulder: { degrees: [0, 0, -3 * t] },
    leftHip: { degrees: [40 * Math.sin(t / 4), 0, 0] },
  }),
);
const motion: Motion = {
  name: 'raise',
  joints: PERFORMER_JOINTS,
  positions: Float32Array.from(poses.flatMap((pose) => [...pose])),
  confidence: new Float32Array(poses.length * PERFORMER_JOINTS.length).fill(1),
  times: Float64Array.from(poses, (_, t) => t / 30),
};
const tableOf = (tables: readonly ProjectionTable[], title: string) => {
  const found = tables.find((table) => table.title.startsWith(title));
  if (!found) throw new Error(`no table '${title}'`);
  return found;
};

describe('studyProjections', () => {
  const tables = studyProjections({ motion }, { count: 5 });

  it('has weights that sum to one, none of them negative where that is asked for', () => {
    for (const projection of ['linear', 'l1', 'positive']) {
      const { rows, columns } = tableOf(tables, `Weights, ${projection}`);
      expect(rows).toHaveLength(5);
      columns.forEach((_, k) => {
        expect(rows.reduce((sum, { values }) => sum + values[k], 0)).toBeCloseTo(1, 4);
      });
    }
    for (const { values } of tableOf(tables, 'Weights, positive').rows)
      expect(Math.min(...values)).toBeGreaterThan(-1e-6);
  });

  it('extrapolates less as that costs more, and not at all at the end', () => {
    const { rows } = tableOf(tables, 'Extrapolation');
    const sums = rows.map(({ values }) => values[2]);
    sums.slice(1).forEach((sum, k) => {
      expect(sum).toBeLessThan(sums[k] + 1e-4);
    });
    expect(sums[0]).toBeGreaterThan(1.01);
    expect(sums[sums.length - 1]).toBeCloseTo(1, 5);
  });

  it('shows that features do not see a shift, and raw positions do', () => {
    for (const { values } of tableOf(tables, 'Shift').rows) {
      expect(Math.max(...values.slice(3))).toBeLessThan(1e-3);
      expect(values[0]).toBeGreaterThan(0.01);
    }
  });

  it('adds parts to the whole, and limbs where there is a character', () => {
    expect(tableOf(tables, 'Parts').columns).toEqual(expect.arrayContaining(['whole', 'arms', 'legs']));
    expect(tables.some(({ title }) => title.startsWith('Lengths'))).toBe(false);
    const { rig, registration } = dogCharacter(0.1);
    const [kinematic, linear] = tableOf(
      studyProjections({ motion, pairs: registration, character: rig }),
      'Lengths',
    ).rows;
    expect(kinematic.values[1]).toBeLessThan(1e-3);
    expect(linear.values[1]).toBeGreaterThan(1);
  });

  it('refuses what has no second pose', () => {
    expect(() => studyProjections({ motion }, { count: 1 })).toThrow(UsageError);
    const still = { ...motion, positions: Float32Array.from(poses.flatMap(() => [...poses[0]])) };
    expect(() => studyProjections({ motion: still })).toThrow(InputError);
  });
});
