import { readGltf, springNodes, writeSkinnedGlb } from '@pelt/io';
import { chainScene } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonOf } from '../../../io/test/gltf/glb-json.ts';
import { edited } from '../matrix/characters.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace({});
let joints: number[];

/** Five links, of which the last never moves in the clip: hair. */
beforeAll(async () => {
  const { rig, clip } = chainScene({
    joints: ['hinge', 'ball', 'hinge', 'hinge'],
    frames: 8,
    ringsPerLink: 4,
    sides: 6,
  });
  const m = rig.bones.length;
  const transforms = clip.transforms.slice();
  for (let t = 0; t < clip.times.length; t++) {
    const above = transforms.slice(12 * (t * m + m - 2), 12 * (t * m + m - 1));
    transforms.set(above, 12 * (t * m + m - 1));
  }
  const bones = rig.bones.map((bone, j) => ({ ...bone, parent: j - 1 }));
  const { bytes } = await writeSkinnedGlb({ rig: { ...rig, bones }, clips: [{ ...clip, transforms }] });
  joints = jsonOf(bytes).skins[0].joints;
  space.put('plain.glb', bytes);
  space.put(
    'hair1.glb',
    edited(bytes, (json) => {
      json.extensionsUsed = ['VRMC_springBone'];
      json.extensions = { VRMC_springBone: { specVersion: '1.0', springs: [{ joints: [{ node: joints[4] }] }] } };
    }),
  );
  space.put(
    'hair0.glb',
    edited(bytes, (json) => {
      json.extensionsUsed = ['VRM'];
      json.extensions = { VRM: { secondaryAnimation: { boneGroups: [{ bones: [joints[3]] }], colliderGroups: [] } } };
    }),
  );
});

const reduce = (input: string, options: object) =>
  space.run({ command: 'reduce', inputs: [input], output: 'out.glb', options });

describe('springs of an avatar', () => {
  it('are found in both versions, with all that hangs on them', () => {
    expect(springNodes(space.read('plain.glb')).size).toBe(0);
    expect([...springNodes(space.read('hair1.glb'))]).toEqual([joints[4]]);
    expect([...springNodes(space.read('hair0.glb'))].sort((a, b) => a - b)).toEqual([joints[3], joints[4]].sort());
  });

  it('stay where weights are reduced and their bones still move something', async () => {
    await reduce('hair1.glb', { weights: 2, keepBones: true, method: 'k-largest' });
    expect(jsonOf(space.read('out.glb')).extensions.VRMC_springBone.springs).toEqual([
      { joints: [{ node: joints[4] }] },
    ]);
    const { scene } = await readGltf(space.read('out.glb'));
    expect(scene.bones.map(({ node }) => node)).toContain(joints[4]);
  });

  it('make a reduction of bones refuse that would leave them without vertices', async () => {
    await reduce('plain.glb', { bones: 3, keepBones: true });
    await expect(reduce('hair1.glb', { bones: 3, keepBones: true })).rejects.toThrow(
      /'hair1.glb': the bone '.*' swings by itself and would move nothing any more; leave out --bones/,
    );
    await expect(reduce('hair0.glb', { method: 'two-layer' })).rejects.toThrow(
      "'hair0.glb' has springs on 2 bones, and other bones would lose them",
    );
  });
});
