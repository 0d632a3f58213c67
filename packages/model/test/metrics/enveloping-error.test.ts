import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { envelopingError } from '../../src/metrics/enveloping-error.ts';
import { IDENTITY_TRANSFORM } from '../../src/rig.ts';

/** Bones that only shift: bone 0 stays, bone 1 moves by `shift` along x. */
const pose = (shift: number) => [...IDENTITY_TRANSFORM, ...IDENTITY_TRANSFORM.with(3, shift)];

/** Three vertices: on bone 0, halfway, on bone 1; two poses with shifts 2 and 4. */
const rest = new Float32Array([0, 0, 0, 1, 0, 0, 2, 0, 0]);
const transforms = Float64Array.from([...pose(2), ...pose(4)]);
const truth = new Float32Array([0, 0, 0, 2, 0, 0, 4, 0, 0, 0, 0, 0, 3, 0, 0, 6, 0, 0]);

describe('envelopingError', () => {
  it('is 0 for the truth', () => {
    const result = envelopingError(rest, transforms, truth, truth);
    expect(result).toMatchObject({ error: 0, median: 0, p95: 0, max: 0 });
  });

  it('is 1 for the best single bone, and names no ratio where that is exact', () => {
    // the middle vertex: bone 0 misses by 1 and 2, bone 1 by 1 and 2: either is best, with 5
    const rigid = truth.slice();
    rigid[3] = 1;
    rigid[12] = 1;
    const result = envelopingError(rest, transforms, truth, rigid);
    expect(result.error).toBeCloseTo(1, 12);
    expect([...result.perVertex]).toEqual([Number.NaN, 1, Number.NaN]);
    expect(result.median).toBe(1);
  });

  it('is the ratio of the sums, by hand', () => {
    const predicted = truth.slice();
    predicted[3] += 0.5; // middle vertex, first pose
    predicted[8] += 0.25; // last vertex, where a single bone is exact
    const result = envelopingError(rest, transforms, truth, predicted);
    expect(result.error).toBeCloseTo(Math.sqrt((0.25 + 0.0625) / 5), 6);
    expect(result.perVertex[1]).toBeCloseTo(Math.sqrt(0.25 / 5), 6);
    expect(result.max).toBeCloseTo(Math.sqrt(0.25 / 5), 6);
  });

  it('keeps one bone a vertex over all poses', () => {
    // a vertex that follows bone 0 in the first pose and bone 1 in the second: 0² + 4² by bone 0, 2² + 0² by bone 1
    const one = new Float32Array([0, 0, 0]);
    const switching = new Float32Array([0, 0, 0, 4, 0, 0]);
    const result = envelopingError(one, transforms, switching, new Float32Array([1, 0, 0, 4, 0, 0]));
    expect(result.error).toBeCloseTo(Math.sqrt(1 / 4), 12);
  });

  it('does not depend on the unit', () => {
    const scale = (k: number) => transforms.map((value, index) => (index % 4 === 3 ? value * k : value));
    const predicted = truth.map((value, k) => value + 0.1 * Math.sin(k));
    const plain = envelopingError(rest, transforms, truth, predicted);
    for (const k of [1e6, 1e-6]) {
      const times = (a: Float32Array) => a.map((value) => value * k);
      const scaled = envelopingError(times(rest), scale(k), times(truth), times(predicted));
      expect(scaled.error / plain.error).toBeCloseTo(1, 5);
      expect(scaled.max / plain.max).toBeCloseTo(1, 5);
    }
  });

  it('takes no vertices; refuses sizes that do not fit', () => {
    const none = new Float32Array();
    expect(envelopingError(none, new Float64Array(), none, none)).toMatchObject({ error: 0, max: 0 });
    expect(() => envelopingError(rest, transforms, truth, truth.slice(3))).toThrow(InputError);
    expect(() => envelopingError(rest, transforms.slice(1), truth, truth)).toThrow(InputError);
    expect(() => envelopingError(rest, transforms, truth.slice(1), truth.slice(1))).toThrow(InputError);
  });
});
