import { readGltf, readRig, writeSkinnedGlb } from '@pelt/io';
import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { bindBody, rigBody } from '../../src/jobs/bind-body.ts';
import type { PlacedJoint } from '../../src/store/placed-skeleton.ts';

const { sequence, rig } = creatureScene({ detail: 0.1, frames: 2 });
/** Some of the creature's own joints, as if they had been clicked. */
const joints: readonly PlacedJoint[] = [0, 1].map((j) => ({
  name: `joint ${j}`,
  parent: j - 1,
  at: [rig.bones[j].rest[3], rig.bones[j].rest[7], rig.bones[j].rest[11]],
  twin: -1,
}));

describe('a body of several parts', () => {
  it('is filled as one, beside a rig of one mesh whose vertices are the surface of the body', async () => {
    const half = Math.floor(rig.mesh.triangles.length / 6);
    const rest = rig.mesh.triangles.length / 3 - half;
    const parts = [
      { name: 'front', firstTriangle: 0, triangleCount: half, material: -1, object: 0 },
      { name: 'back', firstTriangle: half, triangleCount: rest, material: -1, object: 1 },
    ];
    const objects = ['front', 'back'].map((name) => ({ name, mesh: name }));
    const { bytes } = await writeSkinnedGlb({ rig: { ...rig, mesh: { ...rig.mesh, parts, objects } }, clips: [] });
    const { binding, glb } = await bindBody(bytes, undefined, 1, {});
    const shown = await readGltf(glb);
    expect(shown.mesh.objects).toBeUndefined();
    expect(binding.body.surface).toHaveLength(shown.mesh.positions.length / 3);
    expect(readRig(shown).rig.bones.map(({ name }) => name)).toEqual(rig.bones.map(({ name }) => name));
  });
});

describe('a skeleton that was placed', () => {
  it('becomes a rig of the same mesh, with weights that sum to one, and holds still', async () => {
    // What a capture does goes along behind the clip that keeps it still.
    const transforms = new Float64Array(48).map((_, k) =>
      k % 12 === 3 && k >= 24 ? 0.5 : k % 12 < 11 && (k % 12) % 5 === 0 ? 1 : 0,
    );
    const motion = { name: 'walk', times: Float64Array.of(0, 1), transforms };
    const glb = await rigBody(sequence.rest, joints, sequence.times, 1, {}, motion);
    const made = readRig(await readGltf(glb));
    expect(made.clips.map((clip) => [clip.name, clip.times.length])).toEqual([
      ['still', sequence.times.length],
      ['walk', 2],
    ]);
    expect(made.clips[1].transforms.at(-9)).toBeCloseTo(0.5, 5);
    expect(made.rig.bones.map(({ name, parent }) => [name, parent])).toEqual([
      ['joint 0', -1],
      ['joint 1', 0],
    ]);
    expect(made.rig.bones[1].rest[7]).toBeCloseTo(joints[1].at[1], 5);
    expect(made.rig.mesh.positions).toEqual(sequence.rest.positions);
    const { slots, weights, bones } = made.rig.weights;
    for (let i = 0; i < weights.length; i += slots) {
      expect(weights.subarray(i, i + slots).reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 5);
    }
    expect(new Set(bones)).toEqual(new Set([0, 1]));
    expect(made.clips[0].transforms[3]).toBeCloseTo(0, 6);

    // What is painted holds to the bones, whatever comes of it; rings that are found may give way.
    const painted = Uint32Array.of(3, 5, 8);
    const { body, fixed, yielding } = (await bindBody(glb, painted, 1, {})).binding;
    expect(yielding).toBe(false);
    expect([...fixed]).toEqual(expect.arrayContaining([...painted].map((i) => body.surface[i])));
    expect((await bindBody(glb, undefined, 1, {})).binding.yielding).toBe(true);
  });
});
