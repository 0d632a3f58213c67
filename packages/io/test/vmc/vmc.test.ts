import { Random } from '@pelt/math';
import { type Bone, InputError, poseFromJoints } from '@pelt/model';
import { PERFORMER_BONES } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { type OscMessage, readOsc, VmcReceiver, vmcMessages, vmcSkeleton, writeOsc } from '../../src/index.ts';

describe('OSC', () => {
  it('reads what it writes', () => {
    const messages: OscMessage[] = [
      { address: '/a', args: [1.5, 'four', true, false, Uint8Array.of(1, 2, 3)] },
      { address: '/VMC/Ext/OK', args: [1n] },
      { address: '/nothing', args: [] },
    ];
    expect(readOsc(writeOsc(messages))).toEqual([
      { address: '/a', args: [1.5, 'four', true, false, Uint8Array.of(1, 2, 3)] },
      { address: '/VMC/Ext/OK', args: [1] },
      { address: '/nothing', args: [] },
    ]);
    expect(readOsc(writeOsc(messages.slice(0, 1)))).toHaveLength(1);
  });

  it('lays bytes out as the specification shows', () => {
    const bytes = writeOsc([{ address: '/foo', args: [1000n, 'hello'] }]);
    const expected = [...'/foo\0\0\0\0,is\0\0\0\x03\xe8hello\0\0\0'].map((sign) => sign.charCodeAt(0));
    expect([...bytes]).toEqual(expected);
  });

  it('gives messages or one kind of error for any bytes', () => {
    const random = new Random(11);
    const whole = writeOsc([
      { address: '/VMC/Ext/Bone/Pos', args: ['Hips', 0, 1, 0, 0, 0, 0, 1] },
      { address: '/b', args: [Uint8Array.of(9)] },
    ]);
    for (let trial = 0; trial < 2000; trial++) {
      const bytes = whole.slice(0, 1 + Math.floor(random.uniform() * whole.length));
      for (let k = 0; k < 3; k++)
        bytes[Math.floor(random.uniform() * bytes.length)] = Math.floor(random.uniform() * 256);
      try {
        readOsc(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }
    expect(() => readOsc(new Uint8Array(0))).toThrow(InputError);
  });
});

/** The performer's bones by the names of VRM. */
const PLACES: Readonly<Record<string, string>> = {
  hips: 'hips',
  spine: 'spine',
  chest: 'chest',
  neck: 'neck',
  head: 'head',
  ...Object.fromEntries(
    ['left', 'right'].flatMap((side) =>
      Object.entries({
        Shoulder: 'UpperArm',
        Elbow: 'LowerArm',
        Wrist: 'Hand',
        Hip: 'UpperLeg',
        Knee: 'LowerLeg',
        Ankle: 'Foot',
        Toes: 'Toes',
      }).map(([joint, bone]) => [side + joint, side + bone]),
    ),
  ),
};
const human = Object.fromEntries(
  PERFORMER_BONES.flatMap(({ name }, j) => (PLACES[name] ? [[PLACES[name], j] as const] : [])),
);

function originOf({ rest }: Bone, transforms: Float64Array, j: number): number[] {
  return [0, 4, 8].map((row) => {
    const at = 12 * j + row;
    return transforms[at] * rest[3] + transforms[at + 1] * rest[7] + transforms[at + 2] * rest[11] + transforms[at + 3];
  });
}

describe('VMC', () => {
  const { transforms } = poseFromJoints(PERFORMER_BONES, {
    hips: { degrees: [5, 40, 0], translation: [0.3, -0.1, 0.2] },
    leftShoulder: { degrees: [20, 10, 60] },
    rightKnee: { degrees: [70, 0, 0] },
    spine: { degrees: [0, 25, 10] },
  });
  const messages = vmcMessages(PERFORMER_BONES, vmcSkeleton(human), transforms, 1.5, { Joy: 0.25 });

  it('arrives where it was sent from, over packets', () => {
    const receiver = new VmcReceiver();
    for (let k = 0; k < messages.length; k += 7) {
      for (const message of readOsc(writeOsc(messages.slice(k, k + 7)))) expect(receiver.take(message)).toBeUndefined();
    }
    const frame = receiver.flush();
    expect(frame?.sliders).toEqual({ Joy: 0.25 });
    PERFORMER_BONES.forEach((bone, j) => {
      const at = frame?.joints.indexOf(bone.name) ?? -1;
      if (!PLACES[bone.name]) return;
      originOf(bone, transforms, j).forEach((value, k) => {
        expect(frame?.positions[3 * at + k], bone.name).toBeCloseTo(value, 5);
      });
    });
    expect(receiver.flush()).toBeUndefined();
  });

  it('gives a frame as soon as its last bone comes, once it knows how many there are', () => {
    const receiver = new VmcReceiver();
    const bones = messages.filter(({ address }) => address === '/VMC/Ext/Bone/Pos');
    const frames = [...bones, ...bones, ...bones].map((message) => receiver.take(message) !== undefined);
    expect(frames.filter(Boolean)).toHaveLength(3);
    expect(frames.at(-1)).toBe(true);
  });

  it('knows the thumbs of both versions of VRM, and where fingers end', () => {
    const thumbs = (places: Record<string, number>) =>
      vmcSkeleton({ leftHand: 0, ...places }).map(({ name, bone }) => [name, bone]);
    const expected = [
      ['LeftHand', 0],
      ['LeftThumbProximal', 1],
      ['LeftThumbIntermediate', 2],
      ['LeftThumbDistal', 3],
    ];
    expect(thumbs({ leftThumbProximal: 1, leftThumbIntermediate: 2, leftThumbDistal: 3 })).toEqual(expected);
    expect(thumbs({ leftThumbMetacarpal: 1, leftThumbProximal: 2, leftThumbDistal: 3 })).toEqual(expected);
    const receiver = new VmcReceiver();
    // A quarter turn about z at the last joint, of a finger along x.
    const bone = (name: string, x: number, turn: number) => ({
      address: '/VMC/Ext/Bone/Pos',
      args: [name, -x, 0, 0, 0, 0, -Math.sin(turn / 2), Math.cos(turn / 2)],
    });
    receiver.take(bone('LeftIndexIntermediate', 1, 0));
    receiver.take(bone('LeftIndexDistal', 0.5, Math.PI / 2));
    const frame = receiver.flush();
    expect(frame?.joints).toEqual(['LeftIndexIntermediate', 'LeftIndexDistal', 'LeftIndexTip']);
    [1.5, 0.5, 0].forEach((value, k) => {
      expect(frame?.positions[6 + k]).toBeCloseTo(value, 6);
    });
  });

  it('ignores what it does not know', () => {
    const receiver = new VmcReceiver();
    for (const args of [
      [],
      ['Hips'],
      [1, 2],
      ['Hips', 0, 0, 0, 0, 0, Number.NaN, 1],
      ['NoBone', 0, 0, 0, 0, 0, 0, 1],
    ]) {
      expect(receiver.take({ address: '/VMC/Ext/Bone/Pos', args })).toBeUndefined();
    }
    expect(receiver.flush()).toBeUndefined();
  });
});
