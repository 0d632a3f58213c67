import { readPairs, writePairs } from '@pelt/io';
import { type Clip, InputError, type Motion, type PairsDocument, poseFromJoints } from '@pelt/model';
import { barCharacter, dogCharacter, PERFORMER_JOINTS, PERFORMER_POSES, performerPose } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { pairsToDocument, resolvePairs } from '../../../src/puppet/training/resolve-pairs.ts';
import { expectClose } from '../expect-close.ts';

const { rig, registration } = barCharacter();
const squeezed = registration.pairs[1].character.transforms;

/** Two frames: at rest, then squeezed, a metre further on. */
const clip: Clip = {
  name: 'Squeeze',
  times: new Float64Array([0, 1]),
  transforms: Float64Array.from([
    ...poseFromJoints(rig.bones, {}).transforms,
    ...squeezed.map((value, k) => (k % 12 === 3 ? value + 1 : value)),
  ]),
};

/** Two frames; in the second the left hand is lost. */
const motion: Motion = {
  name: 'me',
  joints: PERFORMER_JOINTS,
  positions: Float32Array.from([
    ...performerPose(PERFORMER_POSES.armsStraight),
    ...performerPose(PERFORMER_POSES.armsFront),
  ]),
  confidence: new Float32Array(2 * PERFORMER_JOINTS.length)
    .fill(1)
    .with(PERFORMER_JOINTS.length + PERFORMER_JOINTS.indexOf('leftHand'), 0),
  times: new Float64Array([0, 1]),
};

const DOCUMENT: PairsDocument = {
  name: 'bar',
  neutral: 'rest',
  motions: { me: 'me.csv' },
  pairs: [
    { name: 'rest', performer: { motion: 'me', time: 0.1 }, character: { bones: {} } },
    { name: 'squeezed', performer: { time: 0.9 }, character: { clip: 'Squeeze', time: 1 } },
  ],
};
const SOURCES = { rig, clips: [clip], motions: new Map([['me', motion]]), played: motion };

function expectRefused(change: Partial<PairsDocument>, message: string, sources: Partial<typeof SOURCES> = {}): void {
  const run = () => resolvePairs({ document: { ...DOCUMENT, ...change }, sources: { ...SOURCES, ...sources } });
  expect(run).toThrow(InputError);
  expect(run).toThrow(message);
}

describe('resolvePairs', () => {
  it('finds moments of motions and clips, the nearest frame, in place', () => {
    const resolved = resolvePairs({ document: DOCUMENT, sources: SOURCES });
    expect(resolved.neutral).toBe(0);
    expectClose(resolved.pairs[0].character.transforms, clip.transforms.subarray(0, 72), 1e-12);
    expectClose(resolved.pairs[1].character.transforms, squeezed, 1e-9);
    const travelled = resolvePairs({
      document: {
        ...DOCUMENT,
        pairs: DOCUMENT.pairs.with(1, {
          ...DOCUMENT.pairs[1],
          character: { clip: 'Squeeze', time: 1, keepTravel: true },
        }),
      },
      sources: SOURCES,
    });
    expectClose(travelled.pairs[1].character.transforms, clip.transforms.subarray(72), 0);
  });

  it('leaves out joints that a pair has lost, and says so', () => {
    const warnings: string[] = [];
    const { joints, pairs } = resolvePairs(
      { document: DOCUMENT, sources: SOURCES },
      { onWarning: (message) => warnings.push(message) },
    );
    expect(joints).toEqual(PERFORMER_JOINTS.filter((name) => name !== 'leftHand'));
    expect(warnings).toEqual(["pairs 'bar': not all pairs have leftHand; these joints are ignored"]);
    expect(pairs[0].performer).toHaveLength(3 * joints.length);
  });

  it('takes joints and bones as they are', () => {
    const resolved = resolvePairs({
      document: {
        ...DOCUMENT,
        pairs: [
          {
            name: 'rest',
            performer: { joints: { hips: [1, 2, 3], head: [4, 5, 6] } },
            character: { bones: { 'bar 1': { degrees: [0, 0, 90] } } },
          },
        ],
      },
      sources: SOURCES,
    });
    expect([...resolved.pairs[0].performer]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(resolved.pairs[0].character.transforms[12]).toBeCloseTo(0, 9);
  });

  it('refuses names and times that are not there', () => {
    expectRefused({ neutral: 'none' }, "no neutral pair 'none'; name one of 'rest', 'squeezed'");
    const pair = (change: object) => ({ pairs: [{ ...DOCUMENT.pairs[0], ...change }] });
    expectRefused(pair({ performer: { motion: 'you', time: 0 } }), "there is no motion 'you'; there are me");
    expectRefused(pair({ performer: { time: 0 } }), "there is no motion ''", { played: undefined });
    expectRefused(pair({ performer: { motion: 'me', time: 7 } }), "motion 'me': time 7 s is outside of 0 to 1 s");
    expectRefused(pair({ character: { clip: 'Run', time: 0 } }), "has no clip 'Run'; it has 'Squeeze'");
    expectRefused(pair({ character: { clip: 'Squeeze', time: -5 } }), "clip 'Squeeze': time -5 s is outside");
    expectRefused(pair({ character: { bones: { wing: {} } } }), "no bone 'wing'");
    expectRefused(pair({ character: { transforms: { 'bar 0': [1, 2] } } }), "bone 'bar 0' has 2 numbers; give 12");
  });
});

describe('pairsToDocument', () => {
  it('gives a registration back through a file', () => {
    const dog = dogCharacter(0.1);
    const document = pairsToDocument({ pairs: dog.registration, bones: dog.rig.bones });
    const again = resolvePairs({
      document: readPairs(writePairs(document)),
      sources: { rig: dog.rig, clips: [], motions: new Map() },
    });
    expect(again).toEqual(dog.registration);
  });

  it('needs names that differ', () => {
    expect(() => pairsToDocument({ pairs: registration, bones: [...rig.bones.slice(0, 5), rig.bones[0]] })).toThrow(
      InputError,
    );
  });
});
