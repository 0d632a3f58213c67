import { type Numerics, openNumerics, type Scope } from '@pelt/math';
import { frameAt, type Poser, regionCount } from '@pelt/model';
import { extremities } from '@pelt/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PoseCost } from '../../../src/pose/runtime/pose-cost.ts';
import { createPoseSession } from '../../../src/pose/runtime/pose-session.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { creatureExamples, distance, pointOf } from '../scenes.ts';

const { rig, clip, sequence, walk } = creatureExamples(3);
const E = clip.times.length;
const rest = rig.mesh.positions;
const tips = extremities(rest, 5);

let numerics: Numerics;
let scope: Scope;
let poser: Poser;
beforeAll(async () => {
  numerics = await openNumerics();
  poser = buildPoser({ rig, clip, examples: sequence }, { proxies: 40, consecutive: true });
});
afterAll(() => numerics.close());
beforeEach(() => {
  scope = numerics.scope();
});
afterEach(() => scope.dispose());

const handlesOn = (positions: ArrayLike<number>) =>
  tips.map((vertex) => ({ vertex, target: pointOf(positions, vertex) }));

describe('posing by regions', () => {
  it('gives every example back where all regions have its blend', () => {
    const session = createPoseSession(poser, {}, { numerics });
    expect(regionCount(poser)).toBeGreaterThan(2);
    for (let e = 0; e < E; e++) {
      session.setBlend(Float64Array.from({ length: E }, (_, k) => (k === e ? 1 : 0)));
      const found = session.positions(new Float32Array(rest.length));
      const truth = frameAt(sequence, e);
      const shift = [0, 1, 2].map(
        (c) => truth.reduce((sum, value, k) => sum + (k % 3 === c ? value - found[k] : 0), 0) / (rest.length / 3),
      );
      const placed = found.map((value, k) => value + shift[k % 3]);
      expect(distance(placed, truth)).toBeLessThan(2e-3 * poser.size);
    }
    session.dispose();
  });

  it.each([5, 1])('has the gradient of its cost, as finite differences have it: %i handles', (count) => {
    const cost = new PoseCost(poser, { pull: 0.1, ridge: 3e-4, starts: 0 }, { numerics }, scope);
    cost.setHandles(handlesOn(frameAt(walk.sequence, 7)).slice(0, count));
    const x = Float64Array.from({ length: cost.body.count }, (_, k) => 0.2 * Math.sin(3 * k + 1));
    cost.evaluate(x);
    cost.linearise(x);
    const { gradient } = cost;
    const slopes = gradient.slice(0, x.length);
    const largest = Math.max(...slopes.map(Math.abs));
    x.forEach((_, k) => {
      const at = (by: number) => cost.evaluate(x.map((value, j) => value + (j === k ? by : 0)));
      const slope = (at(1e-5) - at(-1e-5)) / 2e-5;
      expect(Math.abs(slope - slopes[k])).toBeLessThan(2e-5 * largest + 1e-9);
    });
  });

  it('gives one region what the published blend gives', () => {
    const one = buildPoser({ rig, clip }, { proxies: 40, consecutive: true, regions: 1 });
    const painted = buildPoser(
      { rig, clip },
      { proxies: 40, consecutive: true, regions: new Uint16Array(rest.length / 3) },
    );
    expect(painted.regions).toBeUndefined();
    const [a, b] = [one, painted].map((model) => {
      const session = createPoseSession(model, {}, { numerics });
      session.setHandles(handlesOn(frameAt(walk.sequence, 7)));
      session.step();
      return session.positions(new Float32Array(rest.length));
    });
    expect(Array.from(a)).toEqual(Array.from(b));
  });

  it('leaves what is far from one pulled point where it is, in any pose', () => {
    const session = createPoseSession(poser, {}, { numerics });
    for (const start of [rest, frameAt(sequence, 2)]) {
      session.setHandles([]);
      session.setBlend(new Float64Array(E));
      if (start !== rest) {
        session.setHandles(handlesOn(start));
        session.step();
        session.setHandles([]);
      }
      const before = session.positions(new Float32Array(rest.length));
      const [vertex] = tips;
      const target = pointOf(before, vertex).map((value, c) => value + (c === 1 ? 0.1 * poser.size : 0));
      session.setHandles([{ vertex, target }]);
      session.step();
      const after = session.positions(new Float32Array(rest.length));
      let most = 0;
      for (let i = 0; 3 * i < rest.length; i++) {
        if (Math.hypot(...[0, 1, 2].map((c) => rest[3 * i + c] - rest[3 * vertex + c])) < 0.5 * poser.size) continue;
        most = Math.max(most, Math.hypot(...[0, 1, 2].map((c) => after[3 * i + c] - before[3 * i + c])));
      }
      expect(most).toBeLessThan(0.01 * poser.size);
      expect(Math.hypot(...target.map((value, c) => value - after[3 * vertex + c]))).toBeLessThan(0.005 * poser.size);
    }
    session.dispose();
  });

  it('carries the whole along where nothing is to stay', () => {
    const session = createPoseSession(poser, { stays: false }, { numerics });
    const [vertex] = tips;
    session.setHandles([{ vertex, target: pointOf(rest, vertex).map((value) => value + 2 * poser.size) }]);
    session.step();
    const found = session.positions(new Float32Array(rest.length));
    expect(found.every((value, k) => value > rest[k] + poser.size)).toBe(true);
    session.dispose();
  });

  it('comes back to a pose by its parameters', () => {
    const session = createPoseSession(poser, {}, { numerics });
    const handles = handlesOn(frameAt(walk.sequence, 7));
    session.setHandles(handles);
    session.step();
    const before = session.positions(new Float32Array(rest.length));
    const parameters = session.parameters.slice();
    session.setHandles(handlesOn(rest));
    session.step();
    session.setHandles(handles);
    session.setBlend(parameters);
    session.step();
    expect(distance(session.positions(new Float32Array(rest.length)), before)).toBeLessThan(1e-3 * poser.size);
    session.dispose();
  });

  it('allocates no array while a handle moves', () => {
    const session = createPoseSession(poser, {}, { numerics });
    const handles = handlesOn(rest).map(({ vertex, target }) => ({ vertex, target: Float64Array.from(target) }));
    const drag = () => {
      for (let turn = 0; turn < 60; turn++) {
        handles[1].target[0] = rest[3 * tips[1]] + 0.05 * Math.sin(turn / 10);
        session.setHandles(handles);
        session.step();
        session.pose();
      }
    };
    drag();
    const before = process.memoryUsage();
    drag();
    const grown = process.memoryUsage().arrayBuffers - before.arrayBuffers;
    expect(grown).toBeLessThanOrEqual(0);
    session.dispose();
  });
});
