import { InputError, type SkeletonMotion, uniformTimes } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { placeSkeleton } from '../../../src/volume/training/place-skeleton.ts';

type Place = readonly [number, number, number];

/** A leg of two bones and a foot, along −y; the knee bends about x by so many degrees a frame. */
function leg(degrees: readonly number[]): SkeletonMotion {
  const S = degrees.length;
  const rotations = new Float64Array(S * 3 * 4);
  const translations = new Float64Array(S * 3 * 3);
  degrees.forEach((angle, t) => {
    const half = (angle * Math.PI) / 360;
    rotations.set([0, 0, 0, 1, Math.sin(half), 0, 0, Math.cos(half), 0, 0, 0, 1], 12 * t);
    translations.set([0, 10 + t, 0, 0, -4, 0, 0, -4, 0], 9 * t);
  });
  return {
    name: 'leg',
    joints: [
      { name: 'Hip', parent: -1, offset: [0, 0, 0] },
      { name: 'Knee', parent: 0, offset: [0, -4, 0] },
      { name: 'Ankle', parent: 1, offset: [0, -4, 0], tip: [0, 0, 1] },
    ],
    times: uniformTimes(S, 30),
    rotations,
    translations,
  };
}

/** Where a bone's joint is in frame t. */
function jointAt(fitted: ReturnType<typeof placeSkeleton>, t: number, j: number): number[] {
  const { bones, clip } = fitted;
  const [x, y, z] = [bones[j].rest[3], bones[j].rest[7], bones[j].rest[11]];
  const at = 12 * (t * bones.length + j);
  return [0, 4, 8].map((row) => {
    const m = clip.transforms.subarray(at + row, at + row + 4);
    return m[0] * x + m[1] * y + m[2] * z + m[3];
  });
}

const near = (actual: readonly number[], expected: readonly number[]) => {
  expected.forEach((value, axis) => {
    expect(actual[axis]).toBeCloseTo(value, 9);
  });
};

const marks = (entries: Record<string, Place>) => new Map(Object.entries(entries));

describe('fitting a skeleton by landmarks', () => {
  const own = marks({ Hip: [0, 0, 0], Knee: [0, -4, 0], Ankle: [0, -8, 0] });

  it('keeps a skeleton that fits already', () => {
    const fitted = placeSkeleton({ motion: leg([0]), landmarks: own });
    near([...fitted.clip.transforms.subarray(0, 12)], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    near(jointAt(fitted, 0, 2), [0, -8, 0]);
    near([...(fitted.tips.get(2) as Place)], [0, -8, 1]);
  });

  it('bends the knee as the file does, with the lengths of the model', () => {
    // Half the size, the shin shorter still, somewhere else.
    const model = marks({ Hip: [5, 4, 1], Knee: [5, 2, 1], Ankle: [5, 0.5, 1] });
    const fitted = placeSkeleton({ motion: leg([0, 90]), landmarks: model });
    near(jointAt(fitted, 0, 1), [5, 2, 1]);
    near(jointAt(fitted, 0, 2), [5, 0.5, 1]);
    // The shin turns forward by a quarter about the knee; the root rises by what it rises in the file, scaled.
    const [hip, knee, ankle] = [0, 1, 2].map((j) => jointAt(fitted, 1, j));
    expect(hip[1] - 4).toBeGreaterThan(0.3);
    near(
      knee.map((value, axis) => value - hip[axis]),
      [0, -2, 0],
    );
    near(
      ankle.map((value, axis) => value - knee[axis]),
      [0, 0, -1.5],
    );
  });

  it('brings a model with another rest pose into the pose of the file', () => {
    // The model's leg is bent at rest: the shin points along z.
    const model = marks({ Hip: [0, 8, 0], Knee: [0, 4, 0], Ankle: [0, 4, 4] });
    const fitted = placeSkeleton({ motion: leg([0]), landmarks: model });
    const [hip, knee, ankle] = [0, 1, 2].map((j) => jointAt(fitted, 0, j));
    const along = (a: readonly number[], b: readonly number[]) => b.map((value, axis) => (value - a[axis]) / 4);
    // In the file both bones point the same way; so they do here, with their own lengths.
    near(along(knee, ankle), along(hip, knee));
    expect(Math.hypot(...along(knee, ankle))).toBeCloseTo(1, 9);
  });

  it('puts joints without a landmark between those that have one', () => {
    const motion = leg([0]);
    const four: SkeletonMotion = {
      ...motion,
      joints: [...motion.joints, { name: 'Toes', parent: 2, offset: [0, 0, 1] }],
      rotations: Float64Array.of(...motion.rotations, 0, 0, 0, 1),
      translations: Float64Array.of(...motion.translations, 0, 0, 1),
    };
    const fitted = placeSkeleton({
      motion: four,
      landmarks: marks({ Hip: [0, 0, 0], Ankle: [0, -8, 0], Toes: [0, -8, 1] }),
    });
    near(jointAt(fitted, 0, 1), [0, -4, 0]);
  });

  it('knows joints by the name that bodies share', () => {
    const motion = leg([0]);
    const named = {
      ...motion,
      joints: motion.joints.map((joint, j) => ({ ...joint, name: ['LeftUpLeg', 'LeftLeg', 'LeftFoot'][j] })),
    };
    const fitted = placeSkeleton({
      motion: named,
      landmarks: marks({ leftHip: [0, 0, 0], leftKnee: [0, -4, 0], LeftFoot: [0, -8, 0] }),
    });
    near(jointAt(fitted, 0, 2), [0, -8, 0]);
  });

  it.each([1e-6, 1e6])('does not depend on the scale (%f)', (scale) => {
    const scaled = new Map([...own].map(([name, [x, y, z]]) => [name, [scale * x, scale * y, scale * z] as const]));
    near(
      jointAt(placeSkeleton({ motion: leg([0, 30]), landmarks: scaled }), 1, 2).map((value) => value / scale),
      jointAt(placeSkeleton({ motion: leg([0, 30]), landmarks: own }), 1, 2),
    );
  });

  it('says what is wrong with landmarks', () => {
    expect(() => placeSkeleton({ motion: leg([0]), landmarks: marks({ Hip: [0, 0, 0], Knee: [0, 1, 0] }) })).toThrow(
      /too few/,
    );
    expect(() =>
      placeSkeleton({ motion: leg([0]), landmarks: new Map([...own, ['Elbow', [0, 0, 0] as const]]) }),
    ).toThrow(/no joint 'Elbow'/);
    const atOnce = marks({ Hip: [1, 1, 1], Knee: [1, 1, 1], Ankle: [1, 1, 1] });
    expect(() => placeSkeleton({ motion: leg([0]), landmarks: atOnce })).toThrow(InputError);
  });
});
