import { describe, expect, it } from 'vitest';
import { ARM, LEG, limbWords } from '../../src/skeleton/limb-words.ts';

describe('limbWords', () => {
  it('names all joints of an arm', () => {
    expect(limbWords([0.15, 0.28, 0.26, 0.18], ARM)).toEqual(['Shoulder', 'UpperArm', 'LowerArm', 'Hand']);
  });

  it('knows a collar that merged with the chest: upper and lower arm are as long as each other', () => {
    expect(limbWords([0.28, 0.26, 0.18], ARM)).toEqual(['UpperArm', 'LowerArm', 'Hand']);
    // A collar, an upper arm, and a lower arm with the hand.
    expect(limbWords([0.14, 0.28, 0.45], ARM)).toEqual(['Shoulder', 'UpperArm', 'LowerArm']);
    expect(limbWords([0.28, 0.45], ARM)).toEqual(['UpperArm', 'LowerArm']);
  });

  it.each([1e-6, 1, 1e6])('does not depend on size (times %f)', (size) => {
    expect(
      limbWords(
        [0.28, 0.26, 0.18].map((length) => size * length),
        ARM,
      ),
    ).toEqual(['UpperArm', 'LowerArm', 'Hand']);
  });

  it('tells a foot from toes', () => {
    expect(limbWords([0.45, 0.43, 0.25], LEG)).toEqual(['UpperLeg', 'LowerLeg', 'Foot']);
    expect(limbWords([0.45, 0.43, 0.15, 0.08], LEG)).toEqual(['UpperLeg', 'LowerLeg', 'Foot', 'Toes']);
  });

  it('gives up on more joints than words, and on a limb without length; joints may coincide', () => {
    expect(limbWords([1, 1, 1, 1, 1, 1], ARM)).toBeUndefined();
    expect(limbWords([0, 0], ARM)).toBeUndefined();
    expect(limbWords([0.28, 0, 0.18], ARM)).toHaveLength(3);
  });
});
