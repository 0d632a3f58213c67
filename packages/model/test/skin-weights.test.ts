import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../src/errors.ts';
import { mostWeights, type SkinWeights, validateSkinWeights } from '../src/skin-weights.ts';

/** Two vertices, two slots, three bones. */
const skin: SkinWeights = {
  slots: 2,
  bones: new Uint16Array([0, 2, 1, 0]),
  weights: new Float32Array([0.75, 0.25, 1, 0]),
};

function expectInvalid(change: Partial<SkinWeights>, message: string): void {
  const changed = { ...skin, ...change };
  expect(() => validateSkinWeights(changed, 2, 3)).toThrow(InputError);
  expect(() => validateSkinWeights(changed, 2, 3)).toThrow(message);
}

describe('validateSkinWeights', () => {
  it('accepts convex weights; an unused slot may repeat a bone', () => {
    validateSkinWeights(skin, 2, 3);
    validateSkinWeights({ ...skin, bones: new Uint16Array([0, 2, 0, 0]) }, 2, 3);
    validateSkinWeights({ slots: 1, bones: new Uint16Array(), weights: new Float32Array() }, 0, 1);
  });

  it('refuses wrong sizes and slots', () => {
    expectInvalid({ slots: 0 }, '0 slots a vertex');
    expectInvalid({ slots: 1.5 }, '1.5 slots');
    expectInvalid({ bones: new Uint16Array(3) }, 'bones: length 3, expected 4');
    expectInvalid({ weights: new Float32Array(5) }, 'weights: length 5, expected 4');
  });

  it('refuses bones that are not there, weights that are not convex, a bone named twice', () => {
    expectInvalid({ bones: new Uint16Array([0, 3, 1, 0]) }, 'index 3 at 1');
    expectInvalid({ weights: new Float32Array([1.25, -0.25, 1, 0]) }, 'vertex 0 has the negative weight -0.25');
    expectInvalid({ weights: new Float32Array([0.75, 0.2, 1, 0]) }, 'vertex 0 has weights that sum to');
    expectInvalid({ weights: new Float32Array([0.75, 0.25, 0, 0]) }, 'vertex 1 has weights that sum to 0');
    expectInvalid({ weights: new Float32Array([0.75, Number.NaN, 1, 0]) }, 'element 0 is NaN');
    expectInvalid({ bones: new Uint16Array([2, 2, 1, 0]) }, 'vertex 0 names bone 2 twice');
  });

  it('accepts any convex weights rounded to float32', () => {
    const raw = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(raw, (values) => {
        const sum = values.reduce((a, b) => a + b, 0);
        const weights = Float32Array.from(values, (value) => value / sum);
        const bones = Uint16Array.from(values, (_, s) => s);
        validateSkinWeights({ slots: values.length, bones, weights }, 1, values.length);
      }),
      { seed: 3 },
    );
  });
});

it('counts the most weights that a vertex has', () => {
  const weights = Float32Array.of(0.5, 0.25, 0.25, 1, 0, 0);
  const used = { slots: 3, bones: Uint16Array.of(0, 1, 2, 2, 0, 0), weights };
  expect(mostWeights(used)).toBe(3);
  expect(mostWeights({ slots: 3, bones: used.bones.subarray(3), weights: weights.subarray(3) })).toBe(1);
  expect(mostWeights({ slots: 3, bones: new Uint16Array(0), weights: new Float32Array(0) })).toBe(1);
});
