import { openNumerics } from '@pelt/math';
import { chainScene, creatureScene, type Scene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import type { Link } from '../../src/skeleton/joint-tree.ts';
import { rootBone } from '../../src/skeleton/root-bone.ts';
import { knownSkeleton } from './known-skeleton.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

describe('rootBone', () => {
  /** The root of a known rig, whose tree is hung by its first bone. */
  function rootOf(scene: Scene, root?: number | readonly [number, number, number]): string {
    const { problem, system, hung } = knownSkeleton(numerics, scene, 4);
    const links = Array.from(hung.tree.parents).flatMap((j, k): Link[] => {
      return j < 0 ? [] : [{ j, k, cost: 0, joint: hung.joints.subarray(3 * k, 3 * k + 3) }];
    });
    const found = rootBone(problem, system, links, root);
    system.dispose();
    return scene.rig.bones[found].name;
  }

  it('is the middle of a chain, wherever the tree was hung', () => {
    const scene = chainScene({ joints: ['ball', 'ball', 'ball', 'ball'] });
    expect(rootOf(scene)).toBe(scene.rig.bones[2].name);
  });

  it('is the body of a creature', () => {
    const scene = creatureScene({ frames: 4, detail: 0.12 });
    expect(rootOf(scene)).toBe(scene.rig.bones[0].name);
  });

  it('is what the caller chooses: a vertex or a point', () => {
    const scene = chainScene({ joints: ['ball', 'ball'] });
    const { positions } = scene.rig.mesh;
    const far = positions.findIndex((value, k) => k % 3 === 0 && value > 1.15) / 3;
    expect(rootOf(scene, far)).toBe(scene.rig.bones[2].name);
    expect(rootOf(scene, [0, 0, 0])).toBe(scene.rig.bones[0].name);
  });
});
