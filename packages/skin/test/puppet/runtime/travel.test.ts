import { PERFORMER_JOINTS, PERFORMER_POSES, type PerformerPlace, performerPose } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { BodyFrame } from '../../../src/puppet/runtime/body-frame.ts';
import { Travel, type TravelOptions } from '../../../src/puppet/runtime/travel.ts';
import { expectClose } from '../expect-close.ts';

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

const ROOT = { name: 'root', parent: -1, rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2) };

/** The transform that is added to the character, frame by frame. */
function run(
  places: readonly PerformerPlace[],
  options: Partial<TravelOptions> = {},
  pose = {},
  seconds = 1 / 30,
): number[][] {
  const travel = new Travel([ROOT], Float64Array.of(0, 0, 2), { scale: 1, turn: true, ...options });
  const frame = new BodyFrame(PERFORMER_JOINTS);
  return places.map((place) => {
    frame.measure(performerPose(pose, place));
    const transforms = Float64Array.from(IDENTITY);
    travel.apply(frame, seconds, transforms);
    return [...transforms];
  });
}

const size = (() => {
  const frame = new BodyFrame(PERFORMER_JOINTS);
  frame.measure(performerPose());
  return frame.size;
})();

describe('Travel', () => {
  it('leaves the character at rest in the first frame, wherever the performer is', () => {
    expectClose(run([{ at: [5, 1, 7], headingDegrees: 100, size: 3 }])[0], IDENTITY, 1e-6);
  });

  it('goes where the performer goes, seen from how they faced at the start', () => {
    const moved = run([{ headingDegrees: 90 }, { headingDegrees: 90, at: [1, 0, 0] }])[1];
    // Facing +X and going there is going forwards.
    expectClose([moved[3], moved[7], moved[11]], [0, 0, 1 / size], 1e-5);
    const scaled = run([{}, { at: [0, 0, 1] }], { scale: 0.4 })[1];
    expect(scaled[11]).toBeCloseTo(0.4 / size, 5);
    // A performer twice as tall goes half as far, in heights.
    expect(run([{ size: 2 }, { size: 2, at: [0, 0, 1] }])[1][11]).toBeCloseTo(0.5 / size, 5);
  });

  it('turns about the root', () => {
    const turned = run([{ headingDegrees: 20 }, { headingDegrees: 110 }])[1];
    // A quarter turn to the left about (0, 0, 2).
    expectClose(turned, [0, 0, 1, -2, 0, 1, 0, 0, -1, 0, 0, 2], 1e-5);
    expectClose(run([{}, { headingDegrees: 50 }], { turn: false })[1], IDENTITY, 1e-5);
  });

  it('jumps with the performer, but does not sink when they crouch', () => {
    expect(run([{}, { at: [0, 0.5, 0] }])[1][7]).toBeCloseTo(0.5 / size - 0.05, 1);
    const travel = new Travel([ROOT], new Float64Array(3), { scale: 1, turn: true });
    const frame = new BodyFrame(PERFORMER_JOINTS);
    const transforms = Float64Array.from(IDENTITY);
    frame.measure(performerPose());
    travel.apply(frame, 0, transforms);
    // The feet stay on the floor; the pelvis comes down.
    const crouched = performerPose(PERFORMER_POSES.crouch);
    const lowest = Math.min(...crouched.filter((_, k) => k % 3 === 1));
    frame.measure(crouched.map((value, k) => (k % 3 === 1 ? value - lowest + 0.02 : value)));
    travel.apply(frame, 1 / 30, transforms);
    expect(transforms[7]).toBeCloseTo(0, 6);
  });

  it('takes a floor that stays higher for the floor', () => {
    const climbed = run([{}, ...new Array(300).fill({ at: [0, 0.5, 0] })], {}, {}, 1 / 15);
    expect(climbed[1][7]).toBeGreaterThan(0.3);
    expect(climbed[300][7]).toBe(0);
  });

  it('turns over with the performer, about the root, and takes that from the poses of pairs', () => {
    const travel = new Travel([ROOT], Float64Array.of(0, 0, 2), { scale: 1, turn: true });
    const frame = new BodyFrame(PERFORMER_JOINTS);
    frame.measure(performerPose());
    travel.apply(frame, 0, Float64Array.from(IDENTITY));
    for (const degrees of [30, 90, 150, 180, 210, 270, 330]) {
      // A cartwheel to the right: about the front axis, through a handstand.
      frame.measure(performerPose({ hips: { degrees: [0, 0, degrees] } }));
      const transforms = Float64Array.from(IDENTITY);
      travel.apply(frame, 1 / 30, transforms);
      const upright = Math.min(degrees, 360 - degrees) < 50;
      const angle = upright ? 0 : (degrees * Math.PI) / 180;
      expect(transforms[1]).toBeCloseTo(-Math.sin(angle), 1);
      expect(transforms[5]).toBeCloseTo(Math.cos(angle), 1);
      // The root, at (0, 0, 2), goes with the pelvis, by a few centimetres.
      expect(2 * transforms[2] + transforms[3]).toBeCloseTo(0, 1);
      const back = travel.withoutTilt(frame, transforms, Float64Array.from(IDENTITY));
      expectClose(
        back.filter((_, k) => k % 4 !== 3),
        IDENTITY.filter((_, k) => k % 4 !== 3),
        1e-5,
      );
    }
  });

  it('does not move when the size of the performer is measured anew', () => {
    const travel = new Travel([ROOT], Float64Array.of(0, 0, 2), { scale: 1, turn: true });
    const frame = new BodyFrame(PERFORMER_JOINTS);
    const shift = (place: PerformerPlace, size = frame.size) => {
      frame.measure(performerPose({}, place));
      frame.size = size;
      const transforms = Float64Array.from(IDENTITY);
      travel.apply(frame, 1 / 30, transforms);
      return transforms[11];
    };
    shift({});
    const far = shift({ at: [0, 0, 5] });
    expect(shift({ at: [0, 0, 5] }, 1.1 * size)).toBeCloseTo(far, 9);
  });

  it('does nothing where it is switched off', () => {
    expect(run([{}, { at: [1, 2, 3], headingDegrees: 40 }], { scale: 0, turn: false })[1]).toEqual(IDENTITY);
  });
});
