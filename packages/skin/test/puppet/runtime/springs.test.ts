import { type Bone, poseFromJoints } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { posedOrigin } from '../../../src/puppet/runtime/local-pose.ts';
import { Springs } from '../../../src/puppet/runtime/springs.ts';
import { expectClose } from '../expect-close.ts';

const boneAt = (name: string, parent: number, y: number): Bone => ({
  name,
  parent,
  rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, y, 0, 0, 1, 0),
});
/** A tail that stands up: root at 0, two loose bones at 1 and 2, tip at 3. */
const TAIL = [boneAt('root', -1, 0), boneAt('tail', 0, 1), boneAt('end', 1, 2)];
const TIPS = Float64Array.of(0, 2, 0, 0, 3, 0);

const shifted = (x: number) => poseFromJoints(TAIL, { root: { translation: [x, 0, 0] } }).transforms;

function springs(frequency = 2, damping = 0.2): Springs {
  return new Springs(TAIL, [1, 2], TIPS, { frequency, damping });
}

/** Where the tail's tip is. */
function tip(transforms: Float64Array): number[] {
  return [0, 4, 8].map((row) => transforms[24 + row + 1] * 3 + transforms[24 + row + 3]);
}

/** Pulls the root aside at once and lets the tail swing; x of the tip against the root. */
function swing(seconds: number, rate: number, frequency = 2): number[] {
  const tail = springs(frequency);
  tail.apply(0, shifted(0));
  return Array.from({ length: Math.round(seconds * rate) }, () => {
    const pose = shifted(1);
    tail.apply(1 / rate, pose);
    return tip(pose)[0] - 1;
  });
}

describe('Springs', () => {
  it('change nothing in the first frame and in a still pose', () => {
    const tail = springs();
    for (let t = 0; t < 30; t++) {
      const pose = shifted(4);
      tail.apply(t === 0 ? 0 : 1 / 30, pose);
      expectClose(pose, shifted(4), 1e-9);
    }
  });

  it('swing about the pose and come to rest in it', () => {
    const path = swing(6, 60);
    expect(Math.min(...path)).toBeLessThan(-0.3);
    expect(Math.max(...path)).toBeGreaterThan(0.05);
    expect(Math.abs(path.at(-1) as number)).toBeLessThan(0.01);
  });

  it('keep the length of bones', () => {
    const tail = springs();
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    for (let t = 0; t < 60; t++) {
      const pose = shifted(Math.sin(t));
      tail.apply(1 / 30, pose);
      posedOrigin(TAIL[1], pose, 12, a);
      posedOrigin(TAIL[2], pose, 24, b);
      expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeCloseTo(1, 9);
    }
  });

  it('do not depend much on the frame rate, and never explode', () => {
    const [slow, quick] = [swing(2, 30), swing(2, 240)];
    for (let k = 5; k < 60; k += 5) expect(Math.abs(slow[k] - quick[8 * k + 7])).toBeLessThan(0.25);
    for (const [rate, frequency] of [
      [1, 50],
      [30, 1000],
      [0.1, 3],
    ]) {
      for (const x of swing(40, rate, frequency)) expect(Math.abs(x)).toBeLessThan(2.01);
    }
  });

  it('hold still while no time passes, and start anew after a reset', () => {
    const tail = springs();
    tail.apply(0, shifted(0));
    const pose = shifted(1);
    tail.apply(0, pose);
    expect(tip(pose)[0]).toBeLessThan(0.9);
    tail.reset();
    const again = shifted(1);
    tail.apply(0.1, again);
    expectClose(again, shifted(1), 1e-12);
  });

  it('leave a bone alone that has nowhere to swing', () => {
    const lump = new Springs(TAIL, [1], Float64Array.of(0, 1, 0), { frequency: 2, damping: 0.5 });
    lump.apply(0, shifted(0));
    const pose = shifted(1);
    lump.apply(0.1, pose);
    expectClose(pose, shifted(1), 1e-12);
  });
});
