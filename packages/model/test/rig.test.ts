import { describe, expect, it } from 'vitest';
import { InputError } from '../src/errors.ts';
import { type Bone, IDENTITY_TRANSFORM, type Rig, TRANSFORM_SIZE, validateRig } from '../src/rig.ts';

const bone = (name: string, parent: number): Bone => ({ name, parent, rest: Float64Array.from(IDENTITY_TRANSFORM) });

const rig: Rig = {
  name: 'lever',
  mesh: { name: 'lever', positions: new Float32Array(9), triangles: new Uint32Array([0, 1, 2]) },
  bones: [bone('base', -1), bone('arm', 0), bone('loose', -1)],
  weights: { slots: 1, bones: new Uint16Array([0, 1, 2]), weights: new Float32Array([1, 1, 1]) },
};

function expectInvalid(change: Partial<Rig>, message: string): void {
  const changed = { ...rig, ...change };
  expect(() => validateRig(changed)).toThrow(InputError);
  expect(() => validateRig(changed)).toThrow(message);
}

describe('validateRig', () => {
  it('accepts trees and loose bones; the identity is a transform', () => {
    validateRig(rig);
    expect(IDENTITY_TRANSFORM).toHaveLength(TRANSFORM_SIZE);
  });

  it('wants bones, and parents before their children', () => {
    expectInvalid({ bones: [] }, "rig 'lever': no bones");
    expectInvalid({ bones: [bone('a', 0)] }, "bone 0 'a': parent 0 must be −1 or come before it");
    expectInvalid({ bones: [bone('a', 1), bone('b', 0)] }, 'parent 1');
    expectInvalid({ bones: [bone('a', -2)] }, 'parent -2');
    expectInvalid({ bones: [bone('a', -1), bone('b', 0.5)] }, 'parent 0.5');
  });

  it('wants rest frames of twelve finite numbers', () => {
    expectInvalid({ bones: [{ ...bone('a', -1), rest: new Float64Array(11) }] }, 'rest: length 11, expected 12');
    const rest = Float64Array.from(IDENTITY_TRANSFORM).fill(Number.POSITIVE_INFINITY, 3, 4);
    expectInvalid({ bones: [{ ...bone('a', -1), rest }] }, 'element 3 is Infinity');
  });

  it('checks the mesh and the weights', () => {
    expectInvalid({ mesh: { ...rig.mesh, triangles: new Uint32Array([9, 1, 2]) } }, 'index 9');
    expectInvalid({ bones: [bone('a', -1)] }, 'skin weights: bones: index 1 at 1');
    expectInvalid(
      { mesh: { ...rig.mesh, positions: new Float32Array(12) } },
      'skin weights: bones: length 3, expected 4',
    );
  });
});
