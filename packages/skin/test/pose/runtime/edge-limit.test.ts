import { describe, expect, it } from 'vitest';
import { allowedStretch, EdgeLimit } from '../../../src/pose/runtime/edge-limit.ts';
import { ForceLimit } from '../../../src/pose/runtime/force-limit.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { creatureExamples } from '../scenes.ts';

const { rig, clip } = creatureExamples(6);
const poser = buildPoser({ rig, clip }, { proxies: 40 });
const rest = rig.mesh.positions;
const scaled = (factor: number) => rest.map((value) => factor * value);

describe('EdgeLimit', () => {
  it('finds no stretch in the rest pose and in every shape that it knows', () => {
    const edges = new EdgeLimit(poser, [rest, scaled(1.5)]);
    expect(edges.stretch(rest)).toBeLessThanOrEqual(1);
    expect(edges.stretch(scaled(1.5))).toBeCloseTo(1, 4);
  });

  it('compares with the longest that an edge ever was', () => {
    expect(new EdgeLimit(poser, [rest]).stretch(scaled(3))).toBeCloseTo(3, 3);
    expect(new EdgeLimit(poser, [scaled(1.5), rest]).stretch(scaled(3))).toBeCloseTo(2, 3);
  });

  it('takes edges without any length', () => {
    expect(new EdgeLimit(poser, [rest.map(() => 0)]).stretch(rest)).toBe(0);
  });

  it('allows less and less away from the examples, down to less than twice the longest', () => {
    const allowed = [0.001, 0.05, 0.1, 0.2, Number.POSITIVE_INFINITY].map(allowedStretch);
    for (let k = 1; k < allowed.length; k++) expect(allowed[k]).toBeLessThan(allowed[k - 1]);
    expect(allowed[4]).toBeLessThan(2);
  });
});

describe('ForceLimit', () => {
  const limit = () => new ForceLimit(() => new EdgeLimit(poser, [rest]));

  it('leaves forces alone where nothing is stretched, and does not look where examples are near', () => {
    const forces = limit();
    expect(forces.update(1, () => rest)).toBe(false);
    const never = () => {
      throw new Error('looked');
    };
    expect(forces.update(0, never)).toBe(false);
    expect(forces.share).toBe(1);
  });

  it('reduces them until stretch that grows with the force is allowed, and lets them grow again', () => {
    const forces = limit();
    while (forces.update(1, () => scaled(1 + 3 * forces.share)));
    expect(1 + 3 * forces.share).toBeLessThan(2);
    expect(1 + 3 * forces.share).toBeGreaterThan(1.4);
    forces.rounds = 0;
    expect(forces.update(1, () => scaled(1.001))).toBe(true);
    expect(forces.share).toBe(1);
  });

  it('gives up where stretch does not depend on the forces', () => {
    const forces = limit();
    let rounds = 0;
    while (forces.update(1, () => scaled(5))) rounds++;
    expect(rounds).toBeLessThan(20);
  });
});
