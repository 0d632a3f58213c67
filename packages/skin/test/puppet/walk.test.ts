import { readFileSync } from 'node:fs';
import { clipFromSkeleton, jointPositions, readBvh } from '@pelt/io';
import { rotationLog } from '@pelt/math';
import { type Bone, jointsAt, type Motion, type Registration, type Rig } from '@pelt/model';
import { realData, stickRig } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { BodyFrame } from '../../src/puppet/runtime/body-frame.ts';
import { featureJoints, PartFeatures } from '../../src/puppet/runtime/features.ts';
import { localPose, posedOrigin } from '../../src/puppet/runtime/local-pose.ts';
import { createPuppet } from '../../src/puppet/runtime/puppet.ts';
import { suggestKeyPoses } from '../../src/puppet/training/key-poses.ts';
import { removeTravel } from '../../src/puppet/training/remove-travel.ts';

/** Mean angle between the joints' rotations of two poses, in degrees. */
function jointAngle(bones: readonly Bone[], a: Float64Array, b: Float64Array): number {
  const [p, q] = [localPose(bones, a).rotations, localPose(bones, b).rotations];
  const relative = new Float64Array(9);
  const log = new Float64Array(3);
  let total = 0;
  for (let j = 0; j < p.length; j += 9) {
    for (let k = 0; k < 9; k++) {
      const [r, c] = [Math.floor(k / 3), k % 3];
      relative[k] = p[j + r] * q[j + c] + p[j + 3 + r] * q[j + 3 + c] + p[j + 6 + r] * q[j + 6 + c];
    }
    rotationLog(relative, 0, log, 0);
    total += Math.hypot(...log);
  }
  return ((180 / Math.PI) * total) / bones.length;
}

/** The nearest registered pose, for each frame, as the puppet measures poses. */
function nearestPairs(motion: ReturnType<typeof jointPositions>, keys: readonly number[]): number[] {
  const joints = featureJoints(motion.joints, 'body');
  const encoder = new PartFeatures({ name: 'whole', frame: 'body', joints }, motion.joints, 'directions');
  const frame = new BodyFrame(motion.joints);
  const features = Array.from(motion.times, (_, t) => {
    const out = new Float64Array(encoder.dimension);
    frame.measure(jointsAt(motion, t));
    encoder.encode(jointsAt(motion, t), frame, undefined, out);
    return out;
  });
  const distance = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, d) => sum + (value - b[d]) ** 2, 0);
  return features.map((x) =>
    keys.reduce((best, k) => (distance(x, features[k]) < distance(x, features[best]) ? k : best)),
  );
}

interface Walker {
  readonly rig: Rig;
  /** Without the first frame, which in these files is a pose for the camera. */
  readonly motion: Motion;
  /** For each frame the character's pose, in place. */
  readonly poses: readonly Float64Array[];
  readonly keys: readonly number[];
  readonly pairs: Registration;
}

/** A humanoid with the skeleton of a captured motion, registered with twelve of its frames. */
function walkerOf(path: string): Walker {
  const skeleton = readBvh(readFileSync(path));
  const { bones, clip } = clipFromSkeleton(skeleton);
  const whole = jointPositions(skeleton);
  const [J, size] = [whole.joints.length, bones.length * 12];
  const motion = {
    ...whole,
    times: whole.times.subarray(1),
    positions: whole.positions.subarray(3 * J),
    confidence: whole.confidence.subarray(J),
  };
  const poses = Array.from(motion.times, (_, t) =>
    removeTravel(bones, clip.transforms.subarray((t + 1) * size, (t + 2) * size)),
  );
  const keys = suggestKeyPoses(motion, { count: 12 });
  const pairs = keys.map((k) => ({
    name: `frame ${k}`,
    performer: jointsAt(motion, k),
    character: { transforms: poses[k] },
  }));
  return {
    rig: stickRig('walker', bones),
    motion,
    poses,
    keys,
    pairs: { name: 'walker', joints: motion.joints, neutral: 0, pairs },
  };
}

describe('a humanoid registered with twelve poses', () => {
  // motion, how much of the error of the nearest pose may be left
  for (const [file, share] of [
    ['cmu-walk.bvh', 0.5],
    ['cmu-run.bvh', 0.5],
    ['cmu-jump.bvh', 0.5],
    ['cmu-dance.bvh', 0.8],
  ] as const) {
    const path = realData(`motion/${file}`);
    it.skipIf(!path)(`follows ${file} closer than by its nearest pose (needs the measured data)`, () => {
      const { rig, motion, poses, keys, pairs } = walkerOf(path as string);
      const options = { base: 'pairs', parts: 'limbs', delay: 0, travel: 0, turn: false } as const;
      const puppet = createPuppet({ character: rig, pairs, performer: motion.joints }, options);
      const nearest = nearestPairs(motion, keys);
      let [followed, looked, held] = [0, 0, 0];
      for (const t of motion.times.keys()) {
        const { transforms } = puppet.update(jointsAt(motion, t), motion.times[t]);
        if (keys.includes(t)) continue;
        followed += jointAngle(rig.bones, transforms, poses[t]);
        looked += jointAngle(rig.bones, poses[nearest[t]], poses[t]);
        held++;
      }
      expect(held).toBeGreaterThan(100);
      expect(followed / looked, `${followed / held}° against ${looked / held}°`).toBeLessThan(share);
    });
  }

  const path = realData('motion/cmu-walk.bvh');
  it.skipIf(!path)(
    'keeps its feet where they come down, at another pace than the performer’s (needs the measured data)',
    () => {
      const { rig, motion, pairs } = walkerOf(path as string);
      const speed = (a: ArrayLike<number>, b: ArrayLike<number>) => Math.hypot(...[0, 1, 2].map((k) => a[k] - b[k]));
      /** Mean way of the feet while the performer's stand still, frame by frame. */
      const slide = (contacts: 'auto' | 'none') => {
        const puppet = createPuppet(
          { character: rig, pairs, performer: motion.joints },
          { base: 'pairs', parts: 'limbs', delay: 0, travel: 0.8, contacts },
        );
        let [total, count] = [0, 0];
        let last: number[][] = [];
        for (const t of motion.times.keys()) {
          const { transforms } = puppet.update(jointsAt(motion, t), motion.times[t]);
          const feet = ['LeftFoot', 'RightFoot'].map((name) => {
            const j = rig.bones.findIndex((bone) => bone.name === name);
            const out = new Float64Array(3);
            posedOrigin(rig.bones[j], transforms, 12 * j, out);
            return [...out];
          });
          for (const [f, name] of ['leftAnkle', 'rightAnkle'].entries()) {
            if (t === 0) continue;
            const j = 3 * motion.joints.indexOf(name);
            const stands = speed(jointsAt(motion, t).subarray(j), jointsAt(motion, t - 1).subarray(j)) < 0.03;
            if (!stands) continue;
            total += speed(feet[f], last[f]);
            count++;
          }
          last = feet;
        }
        expect(count).toBeGreaterThan(100);
        return total / count;
      };
      expect(slide('auto')).toBeLessThan(0.3 * slide('none'));
    },
  );
});
