import { skeletonTree } from '@pelt/kernels';
import { type Numerics, openNumerics } from '@pelt/math';
import { chainScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otherAttachments, withAttachment } from '../../src/skeleton/moved-joint.ts';
import { hingedSquares, knownSkeleton } from './known-skeleton.ts';

describe('attachments of bones', () => {
  let numerics: Numerics;
  beforeAll(async () => {
    numerics = await openNumerics({ threads: 1 });
  });
  afterAll(() => numerics.close());

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
