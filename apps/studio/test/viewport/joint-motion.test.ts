import { Bone, Group, Vector3 } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import type { JointClip } from '../../src/jobs/joint-clips.ts';
import { FIRST_CLIP, keyed } from '../../src/store/clips.ts';
import { JointMotion } from '../../src/viewport/joint-motion.ts';

/** A leg in a root that is turned and scaled, as files have it. */
function leg() {
  const root = new Group();
  root.rotation.x = -Math.PI / 2;
  root.scale.setScalar(0.01);
  const names = ['hip', 'knee', 'ankle'];
  const bones = names.map(() => new Bone());
  root.add(bones[0]);
  bones[0].add(bones[1]);
  bones[1].add(bones[2]);
  for (const bone of bones.slice(1)) bone.position.set(0, -100, 10);
  return { root, bones, motion: new JointMotion(root, bones, names) };
}

const [C, S] = [Math.cos(0.6), Math.sin(0.6)];
const STILL = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
/** Everything turns about x, and the hip goes along. */
const TURNED = [1, 0, 0, 3, 0, C, -S, 0, 0, S, C, 0];
const BELOW: JointClip = {
  name: 'turn',
  fps: 30,
  frames: 2,
  joints: ['knee', 'hip', 'ankle'],
  transforms: Float32Array.from([STILL, STILL, STILL, TURNED, TURNED, TURNED].flat()),
};
const place = (bone: Bone) => bone.getWorldPosition(new Vector3());

describe('JointMotion', () => {
  it('is at rest without keys and a motion, and has nothing to key', () => {
    const { bones, motion } = leg();
    motion.show(FIRST_CLIP, 7);
    expect(bones.map(({ quaternion }) => quaternion.w)).toEqual([1, 1, 1]);
    expect(motion.pose).toEqual({ turns: {}, shift: [0, 0, 0] });
  });

  it('plays a motion of the scene, whatever the order of its joints, held at its end', () => {
    const { bones, motion, root } = leg();
    motion.below = BELOW;
    motion.show(FIRST_CLIP, 40);
    root.updateWorldMatrix(true, true);
    const wanted = new Vector3(0, -200, 20);
    const turned = new Vector3(3, C * wanted.y - S * wanted.z, S * wanted.y + C * wanted.z);
    expect(place(bones[2]).distanceTo(root.localToWorld(turned))).toBeLessThan(1e-5);
    expect(motion.pose.turns).toEqual({});
  });

  it('keys what was turned from the motion, and shows it again over any', () => {
    const { bones, motion } = leg();
    motion.below = BELOW;
    motion.show(FIRST_CLIP, 1);
    bones[1].rotateX(0.5);
    const { pose } = motion;
    expect(Object.keys(pose.turns)).toEqual(['knee']);
    expect(2 * Math.asin(pose.turns.knee[0])).toBeCloseTo(0.5, 6);
    const clip = keyed(FIRST_CLIP, 'joints', 1, pose);
    const shown = bones[1].quaternion.clone();
    motion.show(clip, 1);
    expect(bones[1].quaternion.angleTo(shown)).toBeLessThan(1e-6);
  });

  it('begins to hold a limb without moving it, and holds it while the motion goes on', () => {
    const { bones, motion, root } = leg();
    const reach = motion.reachOf('ankle', 2);
    // A limb that is quite straight is held a little less so.
    if (!reach) throw new Error('the ankle has two bones above it');
    const before = place(bones[2]);
    const clip = keyed(FIRST_CLIP, 'targets', 0, { ankle: reach });
    motion.show(clip, 0);
    root.updateWorldMatrix(true, true);
    expect(place(bones[2]).distanceTo(before)).toBeLessThan(2e-3);
    motion.below = { ...BELOW, transforms: BELOW.transforms.map((value, k) => (k % 12 === 7 ? value - 20 : value)) };
    motion.show(clip, 1);
    root.updateWorldMatrix(true, true);
    expect(place(bones[2]).distanceTo(before)).toBeLessThan(0.02);
    expect(motion.reachOf('knee', 2)).toBeUndefined();
  });
});
