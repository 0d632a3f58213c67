import { openNumerics } from '@pelt/math';
import { validateSkinWeights } from '@pelt/model';
import { cylinder } from '@pelt/testkit';
import { afterAll, expect, it } from 'vitest';
import { boneHeat } from '../../src/embed/bone-heat.ts';
import { centreTree } from '../../src/embed/centre-tree.ts';
import { solidOfMesh } from '../../src/embed/solid.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

// Along y, of radius 1.
const { mesh, bones } = cylinder({ sides: 12, length: 8, bones: 2 });
const { positions, triangles } = mesh;
const n = positions.length / 3;
const { solid } = centreTree(solidOfMesh(Float64Array.from(positions), triangles), 4);
const along = [0, 1, 2].find((d) => bones[1].rest[4 * d + 3] !== bones[0].rest[4 * d + 3]) ?? 0;
const joint = bones[1].rest[4 * along + 3];
const values = Array.from({ length: n }, (_, i) => positions[3 * i + along]);
const [low, high] = [Math.min(...values), Math.max(...values)];
const at = (value: number) => [0, 1, 2].map((d) => (d === along ? value : 0)) as unknown as [number, number, number];
const segments = [
  { bone: 0, from: at(low), to: at(joint) },
  { bone: 1, from: at(joint), to: at(high) },
];

it('shares a bar between two bones, at the joint and nowhere else', () => {
  const skin = boneHeat(positions, triangles, solid, segments, { bones: 2, slots: 4 }, { numerics });
  validateSkinWeights(skin, n, 2);
  const weight = (i: number) => {
    for (let s = 0; s < skin.slots; s++)
      if (skin.bones[i * skin.slots + s] === 1) return skin.weights[i * skin.slots + s];
    return 0;
  };
  values.forEach((value, i) => {
    if (value < joint - 2.5) expect(weight(i)).toBeLessThan(0.05);
    else if (value > joint + 2.5) expect(weight(i)).toBeGreaterThan(0.95);
    else if (Math.abs(value - joint) < 1e-6) expect(Math.abs(weight(i) - 0.5)).toBeLessThan(0.3);
  });
});

it('gives all to the nearest bone where there is one slot', () => {
  const skin = boneHeat(positions, triangles, solid, segments, { bones: 2, slots: 1 }, { numerics });
  validateSkinWeights(skin, n, 2);
  values.forEach((value, i) => {
    if (Math.abs(value - joint) > 0.5) expect(skin.bones[i]).toBe(value > joint ? 1 : 0);
  });
});
