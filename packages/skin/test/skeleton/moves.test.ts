import { skeletonTree } from '@pelt/kernels';
import { openNumerics } from '@pelt/math';
import { chainScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import {
  otherAttachments,
  withAddedBone,
  withAttachment,
  withFewerBones,
  worstPlaces,
} from '../../src/skeleton/moves.ts';
import { hingedSquares, knownSkeleton } from './known-skeleton.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

describe('added bones', () => {
  it('moves a patch as a rigid body, and hangs from the bone that moved it, at the border', () => {
    const { problem, system, hung } = knownSkeleton(numerics, hingedSquares());
    // The far corners of the square that turns: their neighbours are the near ones.
    const more = withAddedBone({ system, ...hung }, problem.graph, 5, 2);
    expect(more.system.m).toBe(3);
    expect(more.tree.parents[2]).toBe(1);
    const moved = Array.from({ length: 8 }, (_, i) => i).filter(
      (i) => more.system.boneIndices.view[i * system.K] === 2,
    );
    expect(moved).toHaveLength(2);
    for (let t = 0; t < system.S; t++) {
      const [own, above] = [(t * 3 + 2) * 12, (t * 3 + 1) * 12];
      // Two points leave the rotation about their line free; where they go is the same.
      for (const i of moved) {
        for (let d = 0; d < 3; d++) {
          const at = (bone: number) => {
            const [x, y, z] = more.system.rest.view.subarray(3 * i, 3 * i + 3);
            const M = more.system.transforms.view.subarray(bone + 4 * d, bone + 4 * d + 4);
            return M[0] * x + M[1] * y + M[2] * z + M[3];
          };
          expect(at(own)).toBeCloseTo(at(above), 6);
        }
      }
    }
    for (let d = 0; d < 3; d++) {
      const border = moved.reduce((sum, i) => sum + system.rest.view[3 * i + d] / 2, 0);
      expect(more.joints[6 + d]).toBeCloseTo(border, 12);
    }
    more.system.dispose();
    system.dispose();
  });

  it('is first proposed where a bone is missing, once per bone', () => {
    const scene = chainScene({ joints: ['hinge', 'hinge', 'hinge'] });
    const { problem, system, hung } = knownSkeleton(numerics, scene, 4);
    const last = Array.from({ length: system.n }, (_, i) => i).filter((i) => {
      const at = i * scene.rig.weights.slots;
      return scene.rig.weights.bones[at] === 3 && scene.rig.weights.weights[at] > 0.9;
    });
    const { system: fewer } = withFewerBones({ ...hung, system }, [3]);
    fewer.measureError();
    const places = worstPlaces(fewer, problem.graph, 3);
    expect(places.length).toBeLessThanOrEqual(3);
    expect(last).toContain(places[0]);
    fewer.dispose();
    system.dispose();
  });
});

describe('removed bones', () => {
  it('removes the root: the next bone that is left takes its place, and joints stay where they are', () => {
    const { system, hung } = knownSkeleton(numerics, chainScene({ joints: ['hinge', 'ball', 'hinge'] }), 4);
    const { system: fewer, ...rest } = withFewerBones({ ...hung, system }, [0]);
    expect(Array.from(rest.tree.parents)).toEqual([-1, 0, 1]);
    for (const k of [1, 2]) {
      for (let d = 0; d < 3; d++) expect(rest.joints[3 * k + d]).toBe(hung.joints[3 * (k + 1) + d]);
    }
    fewer.dispose();
    system.dispose();
  });
});

describe('attachments of bones', () => {
  it('has none to offer where only bones that are joined blend', () => {
    const { system, hung } = knownSkeleton(numerics, hingedSquares());
    expect(otherAttachments({ system, ...hung })).toEqual([]);
    system.dispose();
  });

  it('offers the true parent to a bone that hangs elsewhere, and never makes a cycle', () => {
    const { system, hung } = knownSkeleton(numerics, chainScene({ joints: ['hinge', 'ball', 'hinge'] }), 4);
    // The last bone hangs from the first, though it blends with the one before it.
    const wrong = { system, tree: skeletonTree([-1, 0, 1, 0]), joints: hung.joints };
    const offered = otherAttachments(wrong);
    expect(offered).toContainEqual(expect.objectContaining({ bone: 3, parent: 2 }));
    for (const choice of offered) {
      const other = withAttachment(wrong, choice);
      // Every bone is reached from the root: there is no cycle.
      expect(other.tree.order).toHaveLength(4);
      expect(other.tree.parents[choice.bone]).toBe(choice.parent);
      const centre = system.centre(choice.bone, choice.parent) ?? [];
      expect(Array.from(other.joints.subarray(3 * choice.bone, 3 * choice.bone + 3))).toEqual(Array.from(centre));
      other.system.dispose();
    }
    system.dispose();
  });
});
