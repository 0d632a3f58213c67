import { type Numerics, openNumerics } from '@pelt/math';
import { elbowScene } from '@pelt/testkit';
import { AnimationClip } from 'three';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eigenSkinModel, plainModel } from '../../examples/models.mjs';
import { PoseMorphs } from '../../src/index.ts';
import { type Loaded, loadModel } from '../scene.ts';

describe('PoseMorphs', () => {
  let numerics: Numerics;
  let loaded: Loaded;
  beforeAll(async () => {
    numerics = await openNumerics({ threads: 1 });
    loaded = await loadModel(await eigenSkinModel(elbowScene({ frames: 9, rings: 15, sides: 8 }), numerics));
  });
  afterAll(() => numerics.close());

  const influences = () => [...(loaded.mesh.morphTargetInfluences ?? [])];

  it('leaves joints and weights as they are', () => {
    const { gltf, mesh } = loaded;
    const before = mesh.skeleton.joints.map(({ position, quaternion }) => [...position, ...quaternion]);
    const weights = influences();
    new PoseMorphs(mesh, gltf.animations);
    expect(mesh.skeleton.joints.map(({ position, quaternion }) => [...position, ...quaternion])).toEqual(before);
    expect(influences()).toEqual(weights);
  });

  it('gives the weights of the clip in its poses, wherever the character stands and faces', () => {
    const { gltf, mesh, scene, play } = loaded;
    const morphs = new PoseMorphs(mesh, gltf.animations);
    const { duration } = gltf.animations[0];
    for (const [time, turn] of [
      [0, 0],
      [duration / 2, 1.2],
      [duration, -2],
    ]) {
      scene.rotation.y = turn;
      scene.position.x = turn;
      play(time);
      const expected = influences();
      const scale = Math.max(...expected.map(Math.abs), 0.01);
      mesh.morphTargetInfluences?.fill(7);
      morphs.update();
      influences().forEach((value, k) => {
        expect(Math.abs(value - expected[k])).toBeLessThan(2e-3 * scale);
      });
    }
  });

  it('gives other weights in poses that the clip does not have, between those around them', () => {
    const { gltf, mesh, play } = loaded;
    const morphs = new PoseMorphs(mesh, gltf.animations);
    const times = gltf.animations[0].tracks[0].times;
    const at = (time: number) => {
      play(time);
      morphs.update();
      return influences();
    };
    const [a, b] = [at(times[3]), at(times[4])];
    const between = at((times[3] + times[4]) / 2);
    between.forEach((value, k) => {
      const slack = 0.25 * Math.abs(a[k] - b[k]) + 0.02;
      expect(value).toBeGreaterThan(Math.min(a[k], b[k]) - slack);
      expect(value).toBeLessThan(Math.max(a[k], b[k]) + slack);
    });
    expect(between).not.toEqual(a);
  });

  it('refuses meshes and clips without morph targets', async () => {
    const plain = await loadModel(await plainModel(elbowScene({ frames: 3, rings: 9, sides: 6 })));
    expect(() => new PoseMorphs(plain.mesh, plain.gltf.animations)).toThrow(/no clip animates morph targets/);
    expect(() => new PoseMorphs(loaded.mesh, [new AnimationClip('still', 1, [])])).toThrow(/no clip animates/);
  });
});
