/** The motion of a character's joints alone. */
import { readBvh, writeObj, writeSkinnedGlb } from '@pelt/io';
import { chainScene } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { Workspace } from '../workspace.ts';

const { rig, clip, sequence } = chainScene({ joints: ['hinge', 'ball'], frames: 9 });
let space: Workspace;

beforeAll(async () => {
  const again = { ...clip, name: 'again' };
  space = new Workspace({
    'chain.glb': (await writeSkinnedGlb({ rig, clips: [clip, again] })).bytes,
    'rest.obj': writeObj(sequence.rest)[0].bytes,
  });
});

describe('convert to BVH', () => {
  it('has the joints by name and as many frames as the clip that is chosen', async () => {
    await space.run({ command: 'convert', inputs: ['chain.glb'], output: 'motion.bvh', options: { clip: 'again' } });
    const motion = readBvh(space.read('motion.bvh'), { name: 'motion.bvh' });
    expect(motion.times).toHaveLength(clip.times.length);
    for (const { name } of rig.bones) expect(motion.joints.map((joint) => joint.name)).toContain(name);
  });

  it('says that it has one of two clips, and refuses what has no joints', async () => {
    const warnings: string[] = [];
    const onWarning = (text: string) => warnings.push(text);
    await space.run({ command: 'convert', inputs: ['chain.glb'], output: 'first.bvh' }, { onWarning });
    expect(warnings.join()).toContain('of 2 clips');
    const refused = space.run({ command: 'convert', inputs: ['rest.obj'], output: 'none.bvh' });
    await expect(refused).rejects.toThrow(/pelt skeleton/);
  });
});
