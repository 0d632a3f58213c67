import { openNumerics } from '@pelt/math';
import { type Bone, InputError } from '@pelt/model';
import { chainScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { extractSkeleton } from '../../src/index.ts';
import { widestGap } from './joints-hold.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

const scene = chainScene({ joints: ['hinge', 'ball'], frames: 16, ringsPerLink: 8, sides: 10 });

/** The same joints in frames of their own, as an animator's bones have. */
function turned(bones: readonly Bone[]): Bone[] {
  return bones.map(({ name, parent, rest }) => {
    const [x, y, z] = [rest[3], rest[7], rest[11]];
    return { name: `my ${name}`, parent, rest: Float64Array.of(0, -1, 0, x, 1, 0, 0, y, 0, 0, 1, z) };
  });
}

describe('a given skeleton', () => {
  it.each([
    { what: 'nearest bones', weights: undefined },
    { what: 'given weights', weights: scene.rig.weights },
  ])('keeps joints, frames and names, beginning with $what', ({ weights }) => {
    const bones = turned(scene.rig.bones);
    const fit = extractSkeleton(scene.sequence, { given: { bones, ...(weights && { weights }) } }, { numerics });
    expect(fit.rig.bones).toEqual(bones);
    expect(fit.error.rmsePercent).toBeLessThan(1e-3);
    expect(widestGap(fit.rig, fit.clip)).toBeLessThan(1e-12);
    fit.clip.transforms.forEach((value, k) => {
      expect(value).toBeCloseTo(scene.clip.transforms[k], 3);
    });
  });

  it('moves joints that are not locked to where the motion has them, and leaves the others to the bit', () => {
    const [root, hinge, ball] = scene.rig.bones;
    const rest = ball.rest.slice();
    for (const at of [3, 7, 11]) rest[at] += 0.08;
    const bones = [root, hinge, { ...ball, rest }];
    const kept = extractSkeleton(scene.sequence, { given: { bones } }, { numerics });
    const fit = extractSkeleton(scene.sequence, { given: { bones, locked: [hinge.name] } }, { numerics });
    expect(fit.rig.bones.slice(0, 2)).toEqual([root, hinge]);
    expect(fit.error.rmsePercent).toBeLessThan(0.1 * kept.error.rmsePercent);
    for (const at of [3, 7, 11]) expect(fit.rig.bones[2].rest[at]).toBeCloseTo(ball.rest[at], 2);
    expect(widestGap(fit.rig, fit.clip)).toBeLessThan(1e-12);
    // All of them locked is the same as none named.
    const locked = bones.map(({ name }) => name);
    const all = extractSkeleton(scene.sequence, { given: { bones, locked } }, { numerics });
    expect(all.rig.bones).toEqual(bones);
    expect(() => extractSkeleton(scene.sequence, { given: { bones, locked: ['none'] } }, { numerics })).toThrow(
      "no joint 'none' to lock",
    );
  });

  it('solves the motion alone where the weights are kept', () => {
    const given = { bones: scene.rig.bones, weights: scene.rig.weights, keepWeights: true };
    const fit = extractSkeleton(scene.sequence, { given }, { numerics });
    expect(fit.rig.mesh.positions).toEqual(scene.sequence.rest.positions);
    const { slots, bones, weights } = fit.rig.weights;
    weights.forEach((weight, k) => {
      const i = Math.floor(k / slots) * scene.rig.weights.slots;
      const known = Array.from({ length: scene.rig.weights.slots }, (_, s) =>
        scene.rig.weights.bones[i + s] === bones[k] ? scene.rig.weights.weights[i + s] : 0,
      );
      if (weight > 0) expect(Math.max(...known)).toBeCloseTo(weight, 6);
    });
    expect(fit.error.rmsePercent).toBeLessThan(1e-4);
    const bare = { bones: scene.rig.bones, keepWeights: true };
    expect(() => extractSkeleton(scene.sequence, { given: bare }, { numerics })).toThrow('keepWeights');
  });

  it('lets bones that move nothing go along', () => {
    const [root, ...others] = scene.rig.bones;
    const tip: Bone = { name: 'tip', parent: 2, rest: Float64Array.of(1, 0, 0, 9, 0, 1, 0, 9, 0, 0, 1, 9) };
    const fit = extractSkeleton(scene.sequence, { given: { bones: [root, ...others, tip] } }, { numerics });
    expect(fit.rig.bones.length).toBe(4);
    expect(fit.error.rmsePercent).toBeLessThan(1e-2);
    expect(fit.clip.transforms.every(Number.isFinite)).toBe(true);
  });

  it('refuses several roots, and weights of another mesh', () => {
    const loose = scene.rig.bones.map((bone) => ({ ...bone, parent: -1 }));
    expect(() => extractSkeleton(scene.sequence, { given: { bones: loose } }, { numerics })).toThrow(
      /has 3 roots \('link 1'/,
    );
    const { slots, bones, weights } = scene.rig.weights;
    const cut = { slots, bones: bones.slice(slots), weights: weights.slice(slots) };
    expect(() =>
      extractSkeleton(scene.sequence, { given: { bones: scene.rig.bones, weights: cut } }, { numerics }),
    ).toThrow(InputError);
  });
});
