import { InputError, UsageError } from '@pelt/model';
import { PERFORMER_JOINTS, PERFORMER_POSES, performerPose } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import type { FeatureKind } from '../../../src/puppet/options.ts';
import { BodyFrame } from '../../../src/puppet/runtime/body-frame.ts';
import { segmentTo } from '../../../src/puppet/runtime/body-tree.ts';
import { featureJoints, PartFeatures } from '../../../src/puppet/runtime/features.ts';
import type { PartFrame } from '../../../src/puppet/runtime/parts.ts';

const ALL = PERFORMER_JOINTS.map((_, j) => j);

function encode(positions: Float32Array, kind: FeatureKind, frame: PartFrame = 'body', joints = ALL): number[] {
  const features = new PartFeatures({ name: 'part', frame, joints }, PERFORMER_JOINTS, kind);
  const body = new BodyFrame(PERFORMER_JOINTS);
  body.measure(positions);
  const out = new Float64Array(features.dimension);
  features.encode(positions, body, undefined, out);
  return [...out];
}

function distance(a: number[], b: number[]): number {
  return Math.sqrt(a.reduce((sum, value, k) => sum + (value - b[k]) ** 2, 0));
}

describe.each(['directions', 'positions'] as const)('PartFeatures of %s', (kind) => {
  it('change neither with place nor heading nor size', () => {
    for (const pose of Object.values(PERFORMER_POSES)) {
      for (const frame of ['body', 'chest'] as const) {
        const plain = encode(performerPose(pose), kind, frame);
        const placed = encode(performerPose(pose, { at: [0.5, 2, -8], headingDegrees: 77, size: 13 }), kind, frame);
        expect(distance(plain, placed)).toBeLessThan(1e-4);
      }
    }
  });

  it('tell poses apart', () => {
    const poses = Object.values(PERFORMER_POSES).map((pose) => encode(performerPose(pose), kind));
    poses.forEach((a, i) => {
      poses.slice(0, i).forEach((b) => {
        expect(distance(a, b)).toBeGreaterThan(0.1);
      });
    });
  });

  it('keep arms that lean with the chest, seen from the chest', () => {
    const arms = ['leftElbow', 'leftWrist'].map((name) => PERFORMER_JOINTS.indexOf(name));
    const [upright, bowed] = [performerPose(), performerPose({ spine: { degrees: [35, 0, 0] } })];
    const chest = distance(encode(upright, kind, 'chest', arms), encode(bowed, kind, 'chest', arms));
    const body = distance(encode(upright, kind, 'body', arms), encode(bowed, kind, 'body', arms));
    expect(chest).toBeLessThan(0.02 * body);
  });

  it('keep the value of a joint that is lost', () => {
    const features = new PartFeatures({ name: 'part', frame: 'body', joints: ALL }, PERFORMER_JOINTS, kind);
    const body = new BodyFrame(PERFORMER_JOINTS);
    const out = new Float64Array(features.dimension).fill(7);
    const lost = new Uint8Array(ALL.length);
    const wrist = PERFORMER_JOINTS.indexOf('leftWrist');
    lost[wrist] = 1;
    body.measure(performerPose());
    features.encode(performerPose(), body, lost, out);
    expect([...out.subarray(3 * wrist, 3 * wrist + 3)]).toEqual([7, 7, 7]);
    expect(out.subarray(0, 3)).not.toContain(7);
    // A direction needs both ends.
    const hand = out[3 * PERFORMER_JOINTS.indexOf('leftHand')];
    if (kind === 'directions') expect(hand).toBe(7);
    else expect(hand).not.toBe(7);
  });
});

describe('PartFeatures', () => {
  it('gives the position from the pelvis in metres, or the limb’s direction by the root of its length', () => {
    const elbow = [PERFORMER_JOINTS.indexOf('leftElbow')];
    const straight = performerPose(PERFORMER_POSES.armsStraight, { headingDegrees: 90 });
    const [x, y] = encode(straight, 'positions', 'body', elbow);
    expect(x).toBeCloseTo(0.47, 1);
    expect(y).toBeCloseTo(0.52, 1);
    const direction = encode(straight, 'directions', 'body', elbow);
    expect(Math.hypot(...direction)).toBeCloseTo(Math.sqrt(0.29), 9);
    expect(direction[0]).toBeGreaterThan(0.99 * Math.sqrt(0.29));
  });

  it('does not know a direction of limbs without length', () => {
    const features = new PartFeatures({ name: 'part', frame: 'body', joints: ALL }, PERFORMER_JOINTS, 'directions');
    const out = new Float64Array(features.dimension);
    features.encode(new Float32Array(ALL.length * 3), new BodyFrame(PERFORMER_JOINTS), undefined, out);
    expect(out.every((value) => value === 0)).toBe(true);
    expect(() => new PartFeatures({ name: 'p', frame: 'body', joints: [] }, [], 'angles' as FeatureKind)).toThrow(
      UsageError,
    );
  });
});

describe('featureJoints', () => {
  it('chooses joints of a body, with tips; all, or names', () => {
    const joints = ['nose', 'leftHip', 'rightHip', 'leftKnee', 'leftToes', 'leftToes tip', 'LeftShoulder'];
    expect(featureJoints(joints, 'body')).toEqual([1, 2, 3, 4, 5]);
    expect(featureJoints(joints, 'all')).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(featureJoints(joints, ['leftToes', 'nose'])).toEqual([4, 0]);
    // Too few for a body: whatever there is.
    expect(featureJoints(['nose', 'leftHip', 'a'], 'body')).toEqual([0, 1, 2]);
    expect(() => featureJoints(joints, ['tail'])).toThrow(InputError);
    expect(() => featureJoints(joints, 'some' as 'all')).toThrow(UsageError);
  });
});

describe('segmentTo', () => {
  it('goes from the nearest joint above that is there', () => {
    expect(segmentTo('leftElbow', ['leftShoulder', 'leftElbow'])).toEqual({ from: 0, length: 0.29 });
    expect(segmentTo('leftWrist', ['leftShoulder', 'leftWrist'])).toEqual({ from: 0, length: 0.26 + 0.29 });
    expect(segmentTo('leftKnee', ['leftKnee'])?.from).toBe(-1);
    expect(segmentTo('leftToes tip', ['leftToes', 'leftToes tip'])).toEqual({ from: 0, length: 0.1 });
    expect(segmentTo('tail', ['hips', 'tail'])).toBeUndefined();
  });
});
