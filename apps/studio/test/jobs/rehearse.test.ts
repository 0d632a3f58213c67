import { writePairs, writeSkinnedGlb } from '@pelt/io';
import type { BlobFiles } from '@pelt/jobs';
import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { rehearse } from '../../src/jobs/rehearse.ts';

const { rig, clip } = creatureScene({ detail: 0.05, frames: 2 });

/** A body that raises its left arm in half a second. */
const BVH = `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
${joint('Head', '0 2 0')}
${joint('LeftArm', '1 1 0', joint('LeftHand', '1 0 0'))}
${joint('RightArm', '-1 1 0', joint('RightHand', '-1 0 0'))}
${joint('LeftUpLeg', '0.5 -1 0', joint('LeftFoot', '0 -1 0'))}
${joint('RightUpLeg', '-0.5 -1 0', joint('RightFoot', '0 -1 0'))}
}
MOTION
Frames: 2
Frame Time: 0.5
${new Array(33).fill(0).join(' ')}
${new Array(33)
  .fill(0)
  .map((_, k) => (k === 9 ? 80 : 0))
  .join(' ')}
`;

function joint(name: string, offset: string, inner = 'End Site\n{\nOFFSET 0 1 0\n}'): string {
  return `JOINT ${name}\n{\nOFFSET ${offset}\nCHANNELS 3 Zrotation Xrotation Yrotation\n${inner}\n}`;
}

const file = (path: string, content: BlobPart) => ({ path, blob: new Blob([content]) });

async function rehearsed(pairs?: Uint8Array<ArrayBuffer>, options = {}) {
  const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
  const files = {
    character: file('creature.glb', bytes),
    motion: file('me.bvh', BVH),
    pairs: pairs && file('pairs.json', pairs),
  };
  const given = Object.values(files).filter((one) => one !== undefined);
  // Files of a page are read at once, as in a worker.
  const read = await Promise.all(given.map(async ({ path, blob }) => [path, await blob.arrayBuffer()] as const));
  const known = { read: (path: string) => new Uint8Array(read.find(([name]) => name === path)?.[1] ?? []) };
  return rehearse(files, { delay: 0, ...options }, 30, known as unknown as BlobFiles, () => {});
}

describe('rehearse', () => {
  it('says why a character that is no humanoid needs pairs, and has the motion all the same', async () => {
    const done = await rehearsed();
    expect(done?.clip).toBeUndefined();
    expect(done?.trouble).toMatch(/\w/);
    expect(done?.motion.times).toHaveLength(2);
  });

  it('plays the pairs over the whole motion, with weights that sum to one in every frame', async () => {
    const still = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    const turned = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0];
    const transforms = Object.fromEntries(rig.bones.map(({ name }, j) => [name, j === 1 ? turned : still]));
    const pairs = writePairs({
      name: 'two',
      neutral: 'neutral',
      motions: {},
      pairs: [
        { name: 'neutral', performer: { time: 0 }, character: { bones: {} } },
        {
          name: 'raised',
          performer: { time: 0.5 },
          character: { transforms },
        },
      ],
    });
    const done = await rehearsed(pairs, { travel: 0 });
    expect(done?.trouble).toBeUndefined();
    const { clip: played, weights } = done ?? {};
    expect(played?.frames).toBe(16);
    expect(weights?.pairs).toEqual(['neutral', 'raised']);
    for (let t = 0; t < 16; t++) {
      const [a, b] = weights?.values.subarray(2 * t, 2 * t + 2) ?? [];
      expect(a + b).toBeCloseTo(1, 3);
    }
    expect(weights?.values[1]).toBeCloseTo(0, 1);
    expect(weights?.values.at(-1)).toBeCloseTo(1, 1);
  });
});
