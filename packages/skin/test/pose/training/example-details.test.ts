import { type Numerics, openNumerics } from '@pelt/math';
import { frameAt, type MeshSequence, type Poser, validatePoser } from '@pelt/model';
import { extremities } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PoseCost } from '../../../src/pose/runtime/pose-cost.ts';
import { createPoseSession } from '../../../src/pose/runtime/pose-session.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { learnDetails } from '../../../src/pose/training/example-details.ts';
import { creatureExamples, distance, pointOf } from '../scenes.ts';

const { rig, clip, sequence } = creatureExamples(5);
const E = clip.times.length;
const rest = rig.mesh.positions;
const n = rest.length / 3;
const tips = extremities(rest, 5);
/** The creature with folds that its bones know nothing of, others in every example. */
const folded: MeshSequence = {
  ...sequence,
  frames: sequence.frames.map((value, k) => {
    const [e, i] = [Math.floor(k / (3 * n)), Math.floor(k / 3) % n];
    return value + 0.01 * Math.sin(30 * rest[3 * i] + 2 * e + (k % 3));
  }),
};

let numerics: Numerics;
let poser: Poser;
beforeAll(async () => {
  numerics = await openNumerics();
  poser = buildPoser({ rig, clip, examples: folded }, { regions: 1, proxies: 60, consecutive: true });
});
afterAll(() => numerics.close());

const alone = (e: number) => Float64Array.from({ length: E }, (_, k) => (k === e ? 1 : 0));

/** Distance after the mean difference: where the whole stands is free. */
function apart(found: Float32Array, truth: Float32Array): number {
  const shift = [0, 1, 2].map((c) => truth.reduce((sum, v, k) => sum + (k % 3 === c ? (v - found[k]) / n : 0), 0));
  return distance(
    found.map((value, k) => value + shift[k % 3]),
    truth,
  );
}

describe('details of examples', () => {
  it('are nothing where the controls do all', () => {
    for (const details of learnDetails(rig, clip, sequence)) {
      expect(details.reduce((most, value) => Math.max(most, Math.abs(value)), 0)).toBeLessThan(1e-6);
    }
  });

  it('are not learnt without example meshes, nor where they are not wanted', () => {
    expect(buildPoser({ rig, clip }, { regions: 1 }).exampleDetails).toEqual([]);
    expect(buildPoser({ rig, clip, examples: folded }, { details: false }).exampleDetails).toEqual([]);
  });

  it('leave the rest pose as it is', () => {
    const session = createPoseSession(poser, {}, { numerics });
    const posed = session.positions(new Float32Array(rest.length));
    expect(distance(posed, rest)).toBeLessThan(1e-6);
    session.dispose();
  });

  it('give every example back, folds and all', () => {
    const [plain, detailed] = [buildPoser({ rig, clip }, { regions: 1, proxies: 60 }), poser].map((model) =>
      createPoseSession(model, {}, { numerics }),
    );
    const posed = new Float32Array(rest.length);
    for (let e = 0; e < E; e++) {
      plain.setBlend(alone(e));
      detailed.setBlend(alone(e));
      expect(apart(plain.positions(posed), frameAt(folded, e))).toBeGreaterThan(8e-3);
      expect(apart(detailed.positions(posed), frameAt(folded, e))).toBeLessThan(1e-4);
    }
    plain.dispose();
    detailed.dispose();
  });

  it('count where handles are: an example is found by its own points', () => {
    const session = createPoseSession(poser, {}, { numerics });
    const posed = new Float32Array(rest.length);
    for (let e = 1; e < E; e++) {
      const truth = frameAt(folded, e);
      session.setHandles(tips.map((vertex) => ({ vertex, target: pointOf(truth, vertex) })));
      session.step();
      session.positions(posed);
      tips.forEach((vertex, c) => {
        expect(session.handleError(c)).toBeLessThan(1e-5 * poser.size);
        expect(Math.hypot(...[0, 1, 2].map((r) => posed[3 * vertex + r] - truth[3 * vertex + r]))).toBeLessThan(2e-5);
      });
      expect(distance(posed, truth)).toBeLessThan(0.03 * distance(truth, rest));
    }
    session.dispose();
  });

  it('are in the slope of the cost', () => {
    const scope = numerics.scope();
    const cost = new PoseCost(poser, { pull: 0.03, ridge: 1e-3, starts: 0 }, { numerics }, scope);
    const truth = frameAt(folded, 2);
    // One of them out of reach, so that its force is at the limit.
    const far = (c: number) => (c === 1 ? 3 : 0);
    cost.setHandles(
      tips.map((vertex, c) => ({ vertex, target: pointOf(truth, vertex).map((value) => value + far(c)) })),
    );
    const beta = Float64Array.from({ length: E }, (_, e) => 0.3 * Math.cos(2 * e));
    cost.evaluate(beta);
    cost.linearise(beta);
    const slopes = cost.gradient.slice();
    const STEP = 1e-5;
    for (let e = 0; e < E; e++) {
      const at = (by: number) => cost.evaluate(beta.map((value, k) => value + (k === e ? by : 0)));
      const slope = (at(STEP) - at(-STEP)) / (2 * STEP);
      expect(Math.abs(slopes[e] - slope)).toBeLessThan(1e-5 * Math.max(Math.abs(slope), 0.1));
    }
    scope.dispose();
  });

  it('stay small where a blend of controls flattens the frame', () => {
    const flat = { ...clip, transforms: clip.transforms.map((value, k) => (k % 12 < 4 ? 1e-9 * value : value)) };
    for (const details of learnDetails(rig, flat, folded)) {
      expect(details.every((value) => Math.abs(value) < 50 * poser.size)).toBe(true);
    }
    const gone = { ...clip, transforms: new Float64Array(clip.transforms.length) };
    for (const details of learnDetails(rig, gone, folded)) expect(details.every((value) => value === 0)).toBe(true);
  });

  it('are exact where the frame is not flattened, and at most three times as large where it is', () => {
    for (const [squash, share] of [
      [0.5, 1],
      [0.05, (3 * 0.05 ** 2 * 9) / (2 + 0.05 ** 2)],
    ]) {
      const bone = rig.bones[0];
      const single = {
        ...rig,
        bones: [bone],
        weights: { slots: 1, bones: new Uint16Array(n), weights: new Float32Array(n).fill(1) },
      };
      const transforms = Float64Array.of(1, 0, 0, 0, 0, squash, 0, 0, 0, 0, 1, 0);
      const residual = 0.01;
      const frames = rest.map((value, k) => (k % 3 === 1 ? squash * value + residual : value));
      const [details] = learnDetails(
        single,
        { name: 'flat', times: Float64Array.of(0), transforms },
        { ...sequence, times: Float64Array.of(0), frames },
      );
      for (let k = 1; k < details.length; k += 3) {
        // The share of the residual that comes back; for small singular values σ it is (σ/σ₀)².
        expect(squash * details[k]).toBeCloseTo(share * residual, 6);
        expect(Math.abs(details[k])).toBeLessThan(4 * residual);
      }
    }
  });

  it('are of the first examples at most, and finite', () => {
    validatePoser({ ...poser, exampleDetails: poser.exampleDetails.slice(1) });
    const many = [...poser.exampleDetails, poser.exampleDetails[0]];
    expect(() => validatePoser({ ...poser, exampleDetails: many })).toThrow('details of');
    const broken = poser.exampleDetails.map((detail) => detail.slice());
    broken[0][4] = Number.NaN;
    expect(() => validatePoser({ ...poser, exampleDetails: broken })).toThrow('exampleDetails[0]');
  });
});
