import { slidersExtension, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { deformLinear } from '@pelt/skin/blending';
import { fitSliders, SliderBones, sliderTransforms } from '@pelt/skin/sliders';
import { faceShapes } from '@pelt/testkit';
import { AnimationMixer, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { describe, expect, it } from 'vitest';
import { type PeltContent, type PeltMesh, peltMeshesOf } from '../../src/index.ts';
import { loadModel } from '../scene.ts';

const face = faceShapes({ step: 0.016 });
const numerics = await openNumerics({ threads: 1 });
const { rig, sliders } = fitSliders(face, { bones: 6, weights: 4 }, { numerics });
numerics.close();
const S = sliders.names.length;
const values = new Float32Array(2 * S);
values[S + 1] = 0.6;
const talk = { name: 'talk', times: Float64Array.of(0, 1), values };
const bones = new SliderBones(sliders, rig.bones.length);
const posed = (at: ArrayLike<number>) => {
  const transforms = sliderTransforms(bones.update(at), rig.bones, new Float64Array(bones.local.length));
  return {
    transforms,
    positions: deformLinear(rig.mesh.positions, rig.weights, transforms, rig.mesh.positions.slice()),
  };
};
const baked = { name: 'talk', times: talk.times, transforms: new Float64Array(2 * bones.local.length) };
for (let t = 0; t < 2; t++)
  baked.transforms.set(posed(values.subarray(t * S, (t + 1) * S)).transforms, t * bones.local.length);
const { bytes } = await writeSkinnedGlb(
  { rig, clips: [baked], extensions: [slidersExtension(sliders, [talk])] },
  { affine: 'pair' },
);

/** Largest distance of the mesh in three.js to the evaluator's, in the mesh's own space. */
function distance(mesh: PeltMesh, expected: Float32Array): number {
  mesh.updateWorldMatrix(true, true);
  mesh.skeleton.update();
  const at = new Vector3();
  let most = 0;
  for (let i = 0; i < expected.length / 3; i++) {
    mesh.getVertexPosition(i, at);
    most = Math.max(most, at.distanceTo(new Vector3().fromArray(expected, 3 * i)));
  }
  return most;
}

const TOLERANCE = 2e-6;

describe('sliders in three.js', () => {
  it('are morph targets to whoever asks: by name, by dictionary, by influence', async () => {
    const { gltf, mesh } = await loadModel(bytes, {});
    const { sliders: controls } = gltf.userData.pelt as PeltContent;
    expect(controls?.names).toEqual(face.names);
    const mixed = new Float32Array(S);
    mixed[0] = 0.7;
    mixed[4] = 0.4;
    controls?.set(face.names[0], 0.7);
    mesh.morphTargetInfluences![mesh.morphTargetDictionary![face.names[4]]] = 0.4;
    expect(controls?.get(face.names[4])).toBe(0.4);
    expect(distance(mesh, posed(mixed).positions)).toBeLessThan(TOLERANCE);
    controls?.reset();
    expect(distance(mesh, rig.mesh.positions)).toBeLessThan(TOLERANCE);
    expect(() => controls?.set('noseGrow', 1)).toThrow(/no slider 'noseGrow'/);
    expect(() => controls?.set(face.names[0], Number.NaN)).toThrow(/cannot be NaN/);
  });

  it('follow clips of slider values in place of the baked joints', async () => {
    const { gltf, mesh } = await loadModel(bytes, {});
    expect(gltf.animations[0].tracks.length).toBe(1);
    const mixer = new AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[0]).play();
    mixer.setTime(0.5);
    const half = new Float32Array(S);
    half[1] = 0.3;
    expect(distance(mesh, posed(half).positions)).toBeLessThan(TOLERANCE);
  });

  it('go with a head that turns, and are apart in a clone', async () => {
    const { gltf, mesh } = await loadModel(bytes, {});
    const { sliders: controls } = gltf.userData.pelt as PeltContent;
    const copy = peltMeshesOf(clone(gltf.scene))[0];
    controls?.set(face.names[0], 1);
    const one = new Float32Array(S);
    one[0] = 1;
    expect(distance(mesh, posed(one).positions)).toBeLessThan(TOLERANCE);
    expect(distance(copy, rig.mesh.positions)).toBeLessThan(TOLERANCE);
    mesh.skeleton.joints[0].position.x += 2;
    gltf.scene.updateMatrixWorld(true);
    const moved = posed(one).positions.map((value, k) => value + (k % 3 === 0 ? 2 : 0));
    expect(distance(mesh, moved)).toBeLessThan(TOLERANCE);
  });
});
