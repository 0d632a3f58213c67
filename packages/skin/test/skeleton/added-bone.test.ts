import { type Numerics, openNumerics } from '@pelt/math';
import { chainScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withAddedBone, worstPlaces } from '../../src/skeleton/added-bone.ts';
import { withoutBones } from '../../src/skeleton/tidy-bones.ts';
import { hingedSquares, knownSkeleton } from './known-skeleton.ts';

describe('added bones', () => {
  let numerics: Numerics;
  beforeAll(async () => {
    numerics = await openNumerics({ threads: 1 });
  });
  afterAll(() => numerics.close());

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
    const { system: fewer } = withoutBones({ ...hung, system }, [3]);
    fewer.measureError();
    const places = worstPlaces(fewer, problem.graph);
    expect(places.length).toBeLessThanOrEqual(3);
    expect(last).toContain(places[0]);
    fewer.dispose();
    system.dispose();
  });
});
