/** Motion for avatars: what the loaders of three-vrm show of it, and what a performance takes from it. */

import { glbToVrma, readGltf, readGltfMotion, readRig, writeSkinnedGlb } from '@pelt/io';
import { boundsOf, diagonalOf, type Motion } from '@pelt/model';
import { PERFORMER_BONES, stickRig } from '@pelt/testkit';
import { type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import { createVRMAnimationClip, VRMAnimationLoaderPlugin } from '@pixiv/three-vrm-animation';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { performance } from '../dog-files.ts';
import { edited } from '../matrix/characters.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace({});
const CLIP = performance();

async function load(bytes: Uint8Array) {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
  return loader.parseAsync(Uint8Array.from(bytes).buffer, '');
}

beforeAll(async () => {
  const rig = stickRig('person', PERFORMER_BONES);
  const clip = CLIP;
  const size = rig.mesh.positions.length;
  const deltas = [new Float32Array(size).fill(0.01), new Float32Array(size).fill(0.02)];
  const weights = Float32Array.from({ length: 2 * clip.times.length }, (_, k) =>
    k % 2 ? 0 : k / 2 / clip.times.length,
  );
  const { bytes } = await writeSkinnedGlb({
    rig,
    clips: [clip],
    morphs: { deltas, weights: [weights], names: ['JawOpen', 'puff'] },
  });
  space.put('person.glb', bytes);
});

/** Places of all bones that three-vrm shows of an avatar and a motion at a moment, in the order of the avatar's nodes. */
async function shown(avatar: string, motion: string, times: readonly number[]) {
  const vrm = (await load(space.read(avatar))).userData.vrm as VRM;
  const [animation] = (await load(space.read(motion))).userData.vrmAnimations;
  const mixer = new AnimationMixer(vrm.scene);
  mixer.clipAction(createVRMAnimationClip(animation, vrm)).play();
  return times.map((time) => {
    mixer.setTime(time);
    vrm.update(0);
    vrm.scene.updateMatrixWorld(true);
    const at = (name: string) => {
      const node = vrm.scene.getObjectByName(name);
      if (!node) throw new Error(`no node ${name}`);
      return node.getWorldPosition(new Vector3()).toArray();
    };
    return { joints: PERFORMER_BONES.flatMap(({ name }) => at(name)), jaw: vrm.expressionManager?.getValue('aa') };
  });
}

/** Where a joint is at frame 45 of the performance, whatever keys there are between. */
function placeOf({ joints, positions, times }: Motion, joint: string): number[] {
  const j = joints.indexOf(joint);
  const t = times.findIndex((time) => time >= CLIP.times[45] - 1e-4);
  expect(Math.min(j, t)).toBeGreaterThanOrEqual(0);
  return [...positions.subarray(3 * (t * joints.length + j), 3 * (t * joints.length + j) + 3)];
}

describe('a VRM animation', () => {
  it('moves its avatar in three-vrm as the clip does', async () => {
    const { report } = await space.run({ command: 'convert', inputs: ['person.glb'], output: 'person.vrm' });
    await space.run({ command: 'convert', inputs: ['person.glb'], output: 'dance.vrma' });
    expect(report.clips).toEqual([CLIP.name]);
    const { rig, clips } = readRig(await readGltf(space.read('person.glb')));
    const [clip] = clips;
    const frames = [0, 7, 45, clip.times.length - 2];
    const seen = await shown(
      'person.vrm',
      'dance.vrma',
      frames.map((t) => clip.times[t]),
    );
    const size = diagonalOf(boundsOf(rig.mesh.positions));
    frames.forEach((t, k) => {
      PERFORMER_BONES.forEach(({ rest, name }, b) => {
        const j = rig.bones.findIndex((bone) => bone.name === name);
        const m = clip.transforms.subarray(12 * (t * rig.bones.length + j));
        for (let c = 0; c < 3; c++) {
          const wanted = m[4 * c] * rest[3] + m[4 * c + 1] * rest[7] + m[4 * c + 2] * rest[11] + m[4 * c + 3];
          expect(Math.abs(seen[k].joints[3 * b + c] - wanted) / size, `${name} in frame ${t}`).toBeLessThan(1e-4);
        }
      });
      expect(seen[k].jaw).toBeCloseTo(t / clip.times.length, 4);
    });
  });

  it('is a motion that reads back with the joints where they were', async () => {
    const before = await readGltfMotion(space.read('person.glb'));
    const after = await readGltfMotion(space.read('dance.vrma'));
    for (const joint of ['hips', 'leftElbow', 'rightAnkle', 'head']) {
      placeOf(after, joint).forEach((value, c) => {
        expect(value, joint).toBeCloseTo(placeOf(before, joint)[c], 4);
      });
    }
  });

  it('keeps bones that hang on nodes between, and turns avatars of VRM 0 to the front', async () => {
    const bytes = space.read('person.vrm');
    const between = edited(bytes, (json) => {
      // A node that turns and shifts above the hips; it is no bone of the body.
      const { hips } = json.extensions.VRMC_vrm.humanoid.humanBones;
      const parent = json.nodes.findIndex((node: { children?: number[] }) => node.children?.includes(hips.node));
      const rest = { rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], translation: [1, 0, 0], children: [hips.node] };
      json.nodes.push({ name: 'turned', ...rest });
      const holder = parent >= 0 ? json.nodes[parent].children : json.scenes[0].nodes;
      holder[holder.indexOf(hips.node)] = json.nodes.length - 1;
    });
    const before = await readGltfMotion(between);
    const after = await readGltfMotion(await glbToVrma(between));
    for (const joint of ['hips', 'leftWrist']) {
      placeOf(after, joint).forEach((value, c) => {
        expect(value).toBeCloseTo(placeOf(before, joint)[c], 4);
      });
    }
    const old = edited(bytes, (json) => {
      const bones = Object.entries(json.extensions.VRMC_vrm.humanoid.humanBones as Record<string, { node: number }>);
      json.extensions = { VRM: { humanoid: { humanBones: bones.map(([bone, { node }]) => ({ bone, node })) } } };
      json.extensionsUsed = ['VRM'];
    });
    const turned = await readGltfMotion(await glbToVrma(old));
    const straight = await readGltfMotion(bytes);
    const [x, y, z] = placeOf(straight, 'leftWrist');
    [-x, y, -z].forEach((value, c) => {
      expect(placeOf(turned, 'leftWrist')[c]).toBeCloseTo(value, 4);
    });
  });

  it('is refused without clips or without a body', async () => {
    const still = edited(space.read('person.vrm'), (json) => {
      delete json.animations;
    });
    await expect(glbToVrma(still)).rejects.toThrow('it has no clip, so there is no motion in it');
    await expect(glbToVrma(space.read('person.glb'))).rejects.toThrow('no bone is found for hips, spine, head');
  });
});
