import { readGltf, readRig } from '@pelt/io';
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

describe('a skeleton that was placed', () => {
  it('becomes a rig of the same mesh, with weights that sum to one, and holds still', async () => {
    const glb = await rigBody(sequence.rest, joints, sequence.times, 1, {});
    const made = readRig(await readGltf(glb));
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
    const { body, fixed, yielding } = await bindBody(glb, painted, 1, {});
    expect(yielding).toBe(false);
    expect([...fixed]).toEqual(expect.arrayContaining([...painted].map((i) => body.surface[i])));
    expect((await bindBody(glb, undefined, 1, {})).yielding).toBe(true);
  });
});
