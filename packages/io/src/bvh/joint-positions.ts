import { type Motion, nameBodyJoints, type SkeletonMotion } from '@pelt/model';
import { poseSkeleton } from './skeleton-clip.ts';

/**
 * Forward kinematics of a capture file: the positions of its joints over time. The joints of a human body get the names
 * of `BODY_JOINTS`; the tips of bones without children become joints of their own.
 * @example
 * {@includeCode ../../examples/motion.ts}
 */
export function jointPositions(motion: SkeletonMotion): Motion {
  const S = motion.times.length;
  const J = motion.joints.length;
  const names = nameBodyJoints(motion.joints.map((joint) => joint.name));
  const tips = motion.joints.flatMap(({ tip }, j) => (tip ? [{ name: `${names[j]} tip`, joint: j, tip }] : []));
  const joints = [...names, ...tips.map((tip) => tip.name)];
  const positions = new Float32Array(S * joints.length * 3);
  const rotations = new Float64Array(J * 9);
  const posed = new Float64Array(J * 3);
  for (let t = 0; t < S; t++) {
    poseSkeleton(motion, t, rotations, posed);
    const at = t * joints.length * 3;
    positions.set(posed, at);
    tips.forEach(({ joint, tip }, k) => {
      for (let r = 0; r < 3; r++) {
        let place = posed[3 * joint + r];
        for (let c = 0; c < 3; c++) place += rotations[9 * joint + 3 * r + c] * tip[c];
        positions[at + 3 * (J + k) + r] = place;
      }
    });
  }
  return {
    name: motion.name,
    joints,
    positions,
    confidence: new Float32Array(S * joints.length).fill(1),
    times: motion.times,
  };
}
