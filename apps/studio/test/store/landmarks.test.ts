import type { BodyJoint } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { askedJoints, spokenJoint, withLandmark } from '../../src/store/landmarks.ts';
import type { MirrorPlane, Point } from '../../src/store/placed-skeleton.ts';

const PLANE: MirrorPlane = { axis: 0, at: 0.5 };
const through = (x: number, y: number): [Point, Point] => [
  [x, y, 1],
  [x, y, -1],
];

describe('landmarks', () => {
  it('are asked for from the hips outwards, those of a side once where both are placed', () => {
    const found = new Set<BodyJoint>(['rightElbow', 'leftElbow', 'head', 'hips', 'leftToes']);
    expect(askedJoints(found, true)).toEqual(['hips', 'head', 'leftElbow']);
    expect(askedJoints(found, false)).toEqual(['hips', 'head', 'leftElbow', 'rightElbow']);
  });

  it('lie in the middle of the body, those of its middle on the plane', () => {
    expect(withLandmark({}, 'hips', through(0.7, 2), PLANE)).toEqual({ hips: [0.5, 2, 0] });
    expect(withLandmark({}, 'hips', through(0.7, 2), undefined)).toEqual({ hips: [0.7, 2, 0] });
  });

  it('come in pairs, whichever side is clicked', () => {
    const pair = { leftKnee: [0.75, 1, 0], rightKnee: [0.25, 1, 0] };
    expect(withLandmark({}, 'leftKnee', through(0.75, 1), PLANE)).toEqual(pair);
    expect(withLandmark({}, 'leftKnee', through(0.25, 1), PLANE)).toEqual(pair);
    expect(withLandmark({}, 'rightKnee', through(0.75, 1), undefined)).toEqual({ rightKnee: [0.75, 1, 0] });
  });

  it('have names that people say', () => {
    expect(spokenJoint('hips', true)).toBe('the hips');
    expect(spokenJoint('leftElbow', true)).toBe('an elbow');
    expect(spokenJoint('leftWrist', true)).toBe('a wrist');
    expect(spokenJoint('rightKnee', false)).toBe('the right knee');
  });
});
