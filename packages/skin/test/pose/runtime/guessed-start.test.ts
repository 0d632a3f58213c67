import { type Numerics, openNumerics, type Scope } from '@pelt/math';
import { frameAt, type Poser } from '@pelt/model';
import { extremities } from '@pelt/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { guessedStart } from '../../../src/pose/runtime/guessed-start.ts';
import { PoseCost } from '../../../src/pose/runtime/pose-cost.ts';
import { createPoseSession } from '../../../src/pose/runtime/pose-session.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { creatureExamples, pointOf } from '../scenes.ts';

const { rig, clip, sequence, walk } = creatureExamples(3);
const E = clip.times.length;
const tips = extremities(rig.mesh.positions, 5);

let numerics: Numerics;
let scope: Scope;
let poser: Poser;
beforeAll(async () => {
  numerics = await openNumerics();
  poser = buildPoser({ rig, clip }, { regions: 1, proxies: 30 });
});
afterAll(() => numerics.close());
beforeEach(() => {
  scope = numerics.scope();
});
afterEach(() => scope.dispose());

const handlesOn = (positions: ArrayLike<number>, vertices = tips) =>
  vertices.map((vertex) => ({ vertex, target: pointOf(positions, vertex) }));

function start(handles: ReturnType<typeof handlesOn>, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY) {
  const cost = new PoseCost(poser, { pull: 1e6, ridge: 1e-3, starts: 0 }, { numerics }, scope);
  cost.setHandles(handles);
  const found = new Float64Array(cost.body.count);
  const value = guessedStart(cost, poser, low, high, found);
  return { cost, found, value };
}

describe('a guessed start', () => {
  it('is the example whose handles are given, at its cost', () => {
    for (let e = 0; e < E; e++) {
      const { found, cost, value } = start(handlesOn(frameAt(sequence, e)));
      for (let f = 0; f < E; f++) expect(found[f]).toBeCloseTo(f === e ? 1 : 0, 3);
      expect(cost.evaluate(found)).toBe(value);
    }
  });

  it('keeps to the bounds of the weights', () => {
    const { found } = start(handlesOn(frameAt(sequence, 0)), 0, 0.5);
    expect(Math.max(...found.subarray(0, E))).toBe(0.5);
  });

  it('is none where two handles leave the pose open', () => {
    expect(start(handlesOn(frameAt(sequence, 0), tips.slice(0, 2))).value).toBe(Number.POSITIVE_INFINITY);
  });

  it('saves iterations where handles jump, and finds the same pose', () => {
    const handles = handlesOn(frameAt(walk.sequence, 7));
    const [jumped, follows] = [false, true].map((isNear) => {
      const session = createPoseSession(poser, { starts: 0 }, { numerics });
      session.setHandles(handles);
      if (isNear) session.step();
      session.setBlend(isNear ? session.parameters.slice() : new Float64Array(E));
      session.step();
      const { iterations, cost } = session.state;
      session.dispose();
      return { iterations, cost };
    });
    expect(jumped.cost).toBeCloseTo(follows.cost, 8);
    expect(jumped.iterations).toBeLessThanOrEqual(12);
  });
});
