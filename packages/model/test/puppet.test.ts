import { describe, expect, it } from 'vitest';
import { InputError } from '../src/errors.ts';
import { type Registration, validateRegistration } from '../src/puppet.ts';

const pose = { transforms: Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]) };

/** Two pairs of one joint and one bone. */
const registration: Registration = {
  name: 'bar',
  joints: ['leftWrist'],
  neutral: 0,
  pairs: [
    { name: 'down', performer: new Float32Array(3), character: pose },
    { name: 'up', performer: new Float32Array([0, 1, 0]), character: pose },
  ],
};

function expectInvalid(change: Partial<Registration>, message: string, bones = 1): void {
  const changed = { ...registration, ...change };
  expect(() => validateRegistration(changed, bones)).toThrow(InputError);
  expect(() => validateRegistration(changed, bones)).toThrow(message);
}

describe('Registration', () => {
  it('is accepted as it is; refused without pairs or joints, with equal names, other sizes, NaN', () => {
    const [down, up] = registration.pairs;
    validateRegistration(registration, 1);
    expectInvalid({ pairs: [] }, "registration 'bar': no pairs");
    expectInvalid({ joints: [] }, 'no joints that all pairs have');
    expectInvalid({ neutral: 2 }, 'the neutral pair is 2, there are 2');
    expectInvalid({ neutral: 0.5 }, 'the neutral pair is 0.5');
    expectInvalid({ pairs: [down, { ...up, name: 'down' }] }, "two pairs are called 'down'");
    expectInvalid(
      { pairs: [{ ...down, performer: new Float32Array(6) }] },
      "performer of 'down': length 6, expected 3",
    );
    expectInvalid({ pairs: [{ ...down, performer: new Float32Array([0, Number.NaN, 0]) }] }, 'element 0 is NaN');
    expectInvalid({}, 'pose: transforms: length 12, expected 24', 2);
  });
});
