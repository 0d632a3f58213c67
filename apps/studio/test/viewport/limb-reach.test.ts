import { Bone, Quaternion, Vector3 } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import { chainAbove, reach, reachedChain } from '../../src/viewport/limb-reach.ts';

/** Joints one below the other along −y, with a root above that is no part of the limb. */
function limb(lengths: readonly number[]): Bone[] {
  const bones = [new Bone(), ...lengths.map(() => new Bone())];
  bones.forEach((bone, k) => {
    if (k === 0) return;
    bones[k - 1].add(bone);
    bone.position.set(0, -lengths[k - 1], 0);
  });
  bones[0].position.set(0, 5, 0);
  bones[0].updateWorldMatrix(true, true);
  return bones;
}

const at = (bone: Bone) => bone.getWorldPosition(new Vector3());
const lengthsOf = (chain: readonly Vector3[]) => chain.slice(1).map((place, k) => place.distanceTo(chain[k]));

describe('reachedChain', () => {
  it('stays where it is reached already, and bends two bones towards the pole', () => {
    const bent = [new Vector3(0, 2, 0), new Vector3(0, 1, 0.5), new Vector3(0, 0, 0)];
    const again = reachedChain(bent, bent[2], new Vector3(0, 1, 3));
    again.forEach((place, k) => {
      expect(place.distanceTo(bent[k])).toBeLessThan(1e-9);
    });
    const [, knee] = reachedChain(bent, new Vector3(0, 0.4, 0), new Vector3(3, 1, 0));
    expect(knee.x).toBeGreaterThan(0.5);
    expect(Math.abs(knee.z)).toBeLessThan(1e-9);
  });

  it.each([2, 3, 6])('keeps the lengths of %i bones, reaches what is near and points to what is far', (count) => {
    const joints = Array.from({ length: count + 1 }, (_, k) => new Vector3(0, -k, 0));
    for (const target of [new Vector3(0.6 * count, -0.4 * count, 0.2), new Vector3(0, -0.5 * count, 0)]) {
      const places = reachedChain(joints, target, new Vector3(0, 0, 9));
      for (const length of lengthsOf(places)) expect(length).toBeCloseTo(1, 3);
      expect(places[count].distanceTo(target)).toBeLessThan(1e-3 * count);
    }
    const far = reachedChain(joints, new Vector3(50, 0, 0), new Vector3(0, 0, 9));
    expect(far[count].x).toBeGreaterThan(0.99 * count);
  });

  it('leaves a limb without length alone', () => {
    const point = [0, 1, 2].map(() => new Vector3(1, 1, 1));
    expect(reachedChain(point, new Vector3(), new Vector3())).toEqual(point);
  });
});

describe('reach', () => {
  it('brings the end of a limb to its target, by as much as is wanted, and keeps how the end is turned', () => {
    const bones = limb([1, 2, 2, 0.5]);
    const chain = chainAbove(bones[3], 2);
    expect(chain).toEqual(bones.slice(1, 4));
    bones[3].quaternion.setFromAxisAngle(new Vector3(1, 0, 0), 0.7);
    bones[0].updateWorldMatrix(true, true);
    const turned = bones[3].getWorldQuaternion(new Quaternion());
    const start = at(bones[3]);
    const target = new Vector3(1, 1.5, 1);
    reach(chain, target, new Vector3(0, 2, 9), 0.5);
    expect(at(bones[3]).distanceTo(start.clone().lerp(target, 0.5))).toBeLessThan(1e-6);
    reach(chain, target, new Vector3(0, 2, 9));
    expect(at(bones[3]).distanceTo(target)).toBeLessThan(1e-6);
    expect(at(bones[2]).z).toBeGreaterThan(1);
    expect(bones[3].getWorldQuaternion(new Quaternion()).angleTo(turned)).toBeLessThan(1e-6);
    expect(at(bones[1]).distanceTo(new Vector3(0, 4, 0))).toBeLessThan(1e-9);
  });
});
