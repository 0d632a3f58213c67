import { PERFORMER_JOINTS, PERFORMER_POSES, type PerformerPlace, performerPose } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { BodyFrame } from '../../../src/puppet/runtime/body-frame.ts';
import { Travel, type TravelOptions } from '../../../src/puppet/runtime/travel.ts';
import { expectClose } from '../expect-close.ts';

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** The transform that is added to the character, frame by frame. */
function run(
  places: readonly PerformerPlace[],
  options: Partial<TravelOptions> = {},
  pose = {},
  seconds = 1 / 30,
): number[][] {
  const travel = new Travel(1, Float64Array.of(0, 0, 2), { scale: 1, turn: true, ...options });
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
    const travel = new Travel(1, new Float64Array(3), { scale: 1, turn: true });
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

  it('does nothing where it is switched off', () => {
    expect(run([{}, { at: [1, 2, 3], headingDegrees: 40 }], { scale: 0, turn: false })[1]).toEqual(IDENTITY);
  });
});
