import { Bone, Object3D, Vector3 } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import { SkinPull } from '../../src/viewport/skin-pull.ts';

/** Joints one above the other, a unit apart. */
function chain(count: number): Bone[] {
  const bones = Array.from({ length: count }, () => new Bone());
  bones.forEach((bone, j) => {
    if (j === 0) return;
    bone.position.y = 1;
    bones[j - 1].add(bone);
  });
  const scene = new Object3D();
  // A parent that is moved, turned and scaled changes nothing.
  scene.position.set(3, -1, 2);
  scene.rotation.set(0.3, 1, -0.5);
  scene.scale.setScalar(2);
  scene.add(bones[0]);
  scene.updateMatrixWorld(true);
  return bones;
}

const world = (bone: Bone, x: number, y: number, z: number) => bone.localToWorld(new Vector3(x, y, z));

describe('a pull at the skin', () => {
  it('leaves everything where it is when the target is where the point is', () => {
    const bones = chain(4);
    const point = world(bones[3], 0.2, 0.8, 0);
    new SkinPull(bones[3], point).pullTo(point.clone());
    for (const { quaternion } of bones) expect(Math.abs(quaternion.w)).toBeCloseTo(1, 9);
  });

  it('brings the point to a target within reach, and keeps lengths and the root', () => {
    const bones = chain(4);
    const point = world(bones[3], 0.2, 0.8, 0);
    const target = world(bones[1], 1.2, 1, 0.6);
    const pull = new SkinPull(bones[3], point);
    for (let k = 0; k < 6; k++) pull.pullTo(target);
    bones[0].parent?.updateMatrixWorld(true);
    expect(world(bones[3], 0.2, 0.8, 0).distanceTo(target)).toBeLessThan(0.02);
    expect(bones[0].quaternion.w).toBe(1);
    for (const { position } of bones.slice(1)) expect(position.toArray()).toEqual([0, 1, 0]);
  });

  it('points at a target out of reach, and stays finite at its own joint', () => {
    const bones = chain(3);
    const pull = new SkinPull(bones[2], world(bones[2], 0, 1, 0));
    const far = world(bones[1], 50, 0, 0);
    for (let k = 0; k < 6; k++) pull.pullTo(far);
    pull.pullTo(bones[1].getWorldPosition(new Vector3()));
    for (const { quaternion } of bones) expect(quaternion.toArray().every(Number.isFinite)).toBe(true);
  });
});
