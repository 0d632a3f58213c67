/** Avatars, as the loader of three-vrm takes them. */

import { writeSkinnedGlb } from '@pelt/io';
import type { Rig } from '@pelt/model';
import { PERFORMER_BONES } from '@pelt/testkit';
import { type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import { Texture } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonOf } from '../../../io/test/gltf/glb-json.ts';
import { Workspace } from '../workspace.ts';

/** A body of a triangle at each joint. */
function bodyRig(): Rig {
  const m = PERFORMER_BONES.length;
  const positions = new Float32Array(9 * m);
  PERFORMER_BONES.forEach(({ rest }, j) => {
    for (let c = 0; c < 3; c++) {
      positions.set([rest[3] + (c === 1 ? 0.05 : 0), rest[7] + (c === 2 ? 0.05 : 0), rest[11]], 9 * j + 3 * c);
    }
  });
  const n = 3 * m;
  return {
    name: 'body',
    mesh: { name: 'body', positions, triangles: Uint32Array.from({ length: n }, (_, i) => i) },
    bones: PERFORMER_BONES,
    weights: {
      slots: 1,
      bones: Uint16Array.from({ length: n }, (_, i) => Math.floor(i / 3)),
      weights: new Float32Array(n).fill(1),
    },
  };
}

async function loadVrm(bytes: Uint8Array): Promise<VRM> {
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  loader.register((parser) => new VRMLoaderPlugin(parser));
  loader.register(() => ({ name: 'no-textures', loadTexture: () => Promise.resolve(new Texture()) }));
  const { userData } = await loader.parseAsync(Uint8Array.from(bytes).buffer, '');
  return userData.vrm as VRM;
}

const space = new Workspace({});

beforeAll(async () => {
  const rig = bodyRig();
  const times = Float64Array.of(0);
  const transforms = Float64Array.from(PERFORMER_BONES.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]));
  const deltas = [new Float32Array(rig.mesh.positions.length).fill(0.01)];
  const morphs = { deltas, weights: [Float32Array.of(0)] };
  const { bytes } = await writeSkinnedGlb({ rig, clips: [{ name: 'rest', times, transforms }], morphs });
  space.put('body.glb', bytes);
});

describe('a VRM as output', () => {
  it('has the body, the expressions and a licence', async () => {
    const { report } = await space.run({ command: 'convert', inputs: ['body.glb'], output: 'body.vrm' });
    expect(report.warnings.join()).toContain('its arms do not point to the sides at rest');
    const vrm = await loadVrm(space.read('body.vrm'));
    expect(vrm.meta.metaVersion).toBe('1');
    expect(vrm.humanoid.getRawBoneNode('hips')?.name).toBe('hips');
    expect(vrm.humanoid.getRawBoneNode('leftUpperArm')?.name).toBe('leftShoulder');
    expect(vrm.humanoid.getRawBoneNode('rightFoot')?.name).toBe('rightAnkle');
    expect(
      vrm.expressionManager?.expressions.map((expression: { expressionName: string }) => expression.expressionName),
    ).toContain('shape 0');
  });

  it('looks with its eyes, where there are two', async () => {
    const rig = bodyRig();
    const head = rig.bones.findIndex(({ name }) => /head/i.test(name));
    const { rest } = rig.bones[head];
    const beside = (x: number) => rest.map((value, k) => (k === 3 ? value + x : value));
    const eyes = [
      { name: 'eye_l', parent: head, rest: beside(0.03) },
      { name: 'eye_r', parent: head, rest: beside(-0.03) },
      { name: 'eyebrow_l', parent: head, rest: beside(0.03) },
    ];
    const { bytes } = await writeSkinnedGlb({ rig: { ...rig, bones: [...rig.bones, ...eyes] }, clips: [] });
    space.put('seeing.glb', bytes);
    await space.run({ command: 'convert', inputs: ['seeing.glb'], output: 'seeing.vrm' });
    const vrm = await loadVrm(space.read('seeing.vrm'));
    expect(['leftEye', 'rightEye'].map((bone) => vrm.humanoid.getRawBoneNode(bone as 'leftEye')?.name)).toEqual([
      'eye_l',
      'eye_r',
    ]);
    expect(vrm.lookAt?.applier?.constructor.name).toContain('Bone');
  });

  it('is made by a reduction, too, and stays one', async () => {
    const reduce = (input: string, output: string, options: object) =>
      space.run({ command: 'reduce', inputs: [input], output, options });
    const { report } = await reduce('body.glb', 'light.vrm', { target: 'vrm' });
    expect(report.output.bytes).toBe(space.read('light.vrm').length);
    await reduce('light.vrm', 'lighter.vrm', { weights: 1 });
    for (const file of ['light.vrm', 'lighter.vrm']) {
      expect((await loadVrm(space.read(file))).humanoid.getRawBoneNode('hips')?.name).toBe('hips');
    }
    await expect(reduce('body.glb', 'x.vrm', { compress: 'meshopt' })).rejects.toThrow(
      /readers of avatars do not know/,
    );
  });

  it('stays as it is where it is one already', async () => {
    await space.run({ command: 'convert', inputs: ['body.vrm'], output: 'again.vrm' });
    expect(space.read('again.vrm')).toEqual(space.read('body.vrm'));
  });

  it.each(['meshopt', 'khr'] as const)(
    'is packed by --compress %s, with the body and the expressions',
    async (compress) => {
      const request = { command: 'convert', inputs: ['body.vrm'], output: 'small.vrm', options: { compress } } as const;
      await space.run(request);
      const small = jsonOf(space.read('small.vrm'));
      const whole = jsonOf(space.read('body.vrm'));
      expect(small.extensionsRequired).toContain(
        compress === 'khr' ? 'KHR_meshopt_compression' : 'EXT_meshopt_compression',
      );
      expect(small.extensions.VRMC_vrm).toEqual(whole.extensions.VRMC_vrm);
      expect(small.nodes.map(({ name }: { name: string }) => name)).toEqual(
        whole.nodes.map(({ name }: { name: string }) => name),
      );
      if (compress === 'khr') return;
      const vrm = await loadVrm(space.read('small.vrm'));
      expect(vrm.humanoid.getRawBoneNode('leftUpperArm')?.name).toBe('leftShoulder');
    },
  );

  it('is refused for what is not a body', async () => {
    const { bytes } = await writeSkinnedGlb({
      rig: { ...bodyRig(), bones: PERFORMER_BONES.map((bone, j) => ({ ...bone, name: `b${j}`, parent: -1 })) },
      clips: [],
    });
    space.put('loose.glb', bytes);
    const refused = space.run({ command: 'convert', inputs: ['loose.glb'], output: 'loose.vrm' });
    await expect(refused).rejects.toThrow('is not recognised as a humanoid');
  });
});
