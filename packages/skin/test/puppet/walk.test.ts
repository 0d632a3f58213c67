import { readFileSync } from 'node:fs';
import { clipFromSkeleton, jointPositions, readBvh } from '@pelt/io';
import { rotationLog } from '@pelt/math';
import { type Bone, jointsAt, type Registration } from '@pelt/model';
import { realData, stickRig } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { BodyFrame } from '../../src/drive/puppet/body-frame.ts';
import { featureJoints, PartFeatures } from '../../src/drive/puppet/features.ts';
import { suggestKeyPoses } from '../../src/drive/puppet/key-poses.ts';
import { localPose } from '../../src/drive/puppet/local-pose.ts';
import { register } from '../../src/drive/puppet/puppet.ts';
import { removeTravel } from '../../src/drive/puppet/remove-travel.ts';

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
      const skeleton = readBvh(readFileSync(path as string));
      const { bones, clip } = clipFromSkeleton(skeleton);
      const motion = jointPositions(skeleton);
      const size = bones.length * 12;
      // The first frame of these files is a pose for the camera, not of the motion.
      const frames = Array.from(motion.times.keys()).slice(1);
      const poses = Array.from(motion.times, (_, t) =>
        removeTravel(bones, clip.transforms.subarray(t * size, (t + 1) * size)),
      );
      const J = motion.joints.length;
      const moving = {
        ...motion,
        times: motion.times.subarray(1),
        positions: motion.positions.subarray(3 * J),
        confidence: motion.confidence.subarray(J),
      };
      const keys = suggestKeyPoses(moving, 12).map((t) => t + 1);
      const pairs: Registration = {
        name: 'walker',
        joints: motion.joints,
        neutral: 0,
        pairs: keys.map((k) => ({
          name: `frame ${k}`,
          performer: jointsAt(motion, k),
          character: { transforms: poses[k] },
        })),
      };
      const puppet = register(stickRig('walker', bones), pairs, motion.joints, {
        parts: 'limbs',
        delay: 0,
        travel: 0,
        turn: false,
      });
      const nearest = nearestPairs(motion, keys);
      let [followed, looked, held] = [0, 0, 0];
      for (const t of frames) {
        const { transforms } = puppet.update(jointsAt(motion, t), motion.times[t]);
        if (keys.includes(t)) continue;
        followed += jointAngle(bones, transforms, poses[t]);
        looked += jointAngle(bones, poses[nearest[t]], poses[t]);
        held++;
      }
      expect(held).toBeGreaterThan(100);
      expect(followed / looked, `${followed / held}° against ${looked / held}°`).toBeLessThan(share);
    });
  }
});
