import {
  dualQuaternionExtension,
  editGltf,
  eigenSkinExtension,
  type envelopeExtension,
  poserExtension,
  readCharacter,
  readGltf,
  twoLayerExtension,
  writeSkinnedGlb,
} from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { type EigenSkinExamples, linearRigOf } from '@pelt/model';
import { buildPoser } from '@pelt/skin/pose';
import { creatureScene, elbowScene } from '@pelt/testkit';
import { AnimationMixer } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { describe, expect, it } from 'vitest';
import { eightModel, envelopeModel, learntSkin, plainModel, twoLayerModel } from '../../examples/models.mjs';
import { type PeltContent, PoseMorphs, peltMeshesOf } from '../../src/index.ts';
import { separateParts, sharedParts } from '../part-files.ts';
import { loadModel } from '../scene.ts';

const walk = creatureScene({ frames: 3, detail: 0.15 });

async function withExtension(extension: ReturnType<typeof twoLayerExtension>): Promise<Uint8Array> {
  return (await writeSkinnedGlb({ rig: walk.rig, clips: [walk.clip], extensions: [extension] })).bytes;
}

describe('PeltLoaderPlugin', () => {
  it('leaves files alone that need nothing of it', async () => {
    const { mesh } = await loadModel(await plainModel(walk), {});
    expect(mesh).toBeUndefined();
  });

  it('takes those with more than four weights, and all where asked', async () => {
    expect((await loadModel(await eightModel(walk), {})).mesh.model.skin.slots).toBe(8);
    expect((await loadModel(await plainModel(walk), { all: true })).mesh.model.kind).toBe('linear');
    await expect(loadModel(await plainModel(walk), { every: true } as never)).rejects.toThrow(/every/);
  });

  it('gives the primitives of a mesh one palette, and each the weights of its own vertices', async () => {
    for (const make of [sharedParts, separateParts]) {
      const { gltf } = await loadModel(await make());
      const [first, second] = peltMeshesOf(gltf.scene);
      expect(second.skeleton).toBe(first.skeleton);
      for (const { model, geometry } of [first, second]) {
        expect(model.skin.bones.length).toBe(8 * geometry.getAttribute('position').count);
      }
      const copies = peltMeshesOf(clone(gltf.scene));
      expect(copies[1].skeleton).toBe(copies[0].skeleton);
      expect(copies[0].skeleton).not.toBe(first.skeleton);
    }
  });

  it('blends dual quaternions and drives morph targets where a file says so', async () => {
    const dual = await loadModel(await withExtension(dualQuaternionExtension()));
    expect(dual.mesh.skinning).toBe('dual-quaternion');
    const morphs = {
      deltas: [new Float32Array(walk.rig.mesh.positions.length).fill(0.01)],
      weights: [Float32Array.of(0, 0.5, 1)],
    };
    const amounts = morphs.weights[0];
    const examples = { poses: walk.clip.transforms, amounts };
    const { bytes } = await writeSkinnedGlb({
      rig: walk.rig,
      clips: [walk.clip],
      morphs,
      extensions: [eigenSkinExtension(walk.rig.bones.length, examples)],
    });
    const { gltf, mesh } = await loadModel(bytes);
    expect(mesh.skinning).toBe('linear');
    const driven = new PoseMorphs(mesh, (gltf.userData.pelt as PeltContent).eigenskin as EigenSkinExamples);
    const mixer = new AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[0]).play();
    mixer.setTime(gltf.animations[0].duration / 2);
    gltf.scene.updateMatrixWorld(true);
    if (mesh.morphTargetInfluences) mesh.morphTargetInfluences[0] = 9;
    driven.update();
    expect(mesh.morphTargetInfluences?.[0]).toBeCloseTo(0.5, 2);
  });

  it('drags characters with a learnt skin, and with two layers, by linear weights over their joints', async () => {
    const numerics = await openNumerics({ threads: 1 });
    const elbow = elbowScene({ frames: 5, rings: 9, sides: 6 });
    const learnt = await envelopeModel(learntSkin(elbow, numerics, [0, 2, 4], { proxies: 6 }), elbow);
    const layered = await twoLayerModel(elbow, numerics, 5);
    for (const [kind, bytes] of [
      ['envelope', learnt],
      ['two-layer', layered],
    ] as const) {
      const asset = await readGltf(bytes);
      const poser = buildPoser({ rig: linearRigOf(readCharacter(asset)), clip: elbow.clip });
      const { bytes: posable } = await editGltf({ bytes }, asset, { extensions: [poserExtension(poser)] });
      const { mesh } = await loadModel(posable);
      expect(mesh.model.kind).toBe(kind);
      expect(mesh.model.poser?.exampleNames).toHaveLength(5);
      const { weights } = mesh.model.part ?? {};
      expect(Math.max(...(weights?.bones ?? [9]))).toBeLessThan(mesh.skeleton.joints.length);
    }
    numerics.close();
  });

  it('refuses extensions that do not fit, and says what is wrong', async () => {
    const masters = { slots: 1, bones: Uint16Array.of(0), weights: Float32Array.of(1) };
    const good = twoLayerExtension({ masters, vertices: walk.rig.weights });
    const load = async (json: object, buffers: object = {}) =>
      loadModel(
        await withExtension({ ...good, json: { ...good.json, ...json }, buffers: { ...good.buffers, ...buffers } }),
      );
    await expect(load({ version: 7 })).rejects.toThrow(/PELT_two_layer has version 7; this reads version 1/);
    await expect(load({ virtual: 'x' })).rejects.toThrow(/virtual is x; it must be a whole number/);
    await expect(load({}, { masterJoints: Float32Array.of(0) })).rejects.toThrow(/masterJoints must be a Uint16Array/);
    await expect(load({})).rejects.toThrow(/not virtual/);
  });

  it('checks a learnt skin against the mesh that it is for', async () => {
    const envelope = {
      name: 'PELT_envelope',
      json: { version: 1, proxies: 1, form: 'exponential-of-sum', keySlots: 1, skinSlots: 1 },
    };
    const extension = { ...envelope, buffers: {} } as unknown as ReturnType<typeof envelopeExtension>;
    await expect(loadModel(await withExtension(extension))).rejects.toThrow(/buffers.centres must be a Float64Array/);
  });
});
