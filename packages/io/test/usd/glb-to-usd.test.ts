/** What is written as USD, read by three's USDLoader, which plays skins; blend shapes are compared as its parser gives them. */
import { boundsOf, diagonalOf } from '@pelt/model';
import { AnimationMixer, type Object3D, type SkinnedMesh, Vector3 } from 'three';
import { USDLoader } from 'three/addons/loaders/USDLoader.js';
import { USDAParser } from 'three/addons/loaders/usd/USDAParser.js';
import { describe, expect, it } from 'vitest';
import { bakeSequence, glbToUsda, glbToUsdz, readGltf, writeSkinnedGlb } from '../../src/index.ts';
import { randomRig, sheet } from '../gltf/models.ts';

async function character(scale = 1) {
  const { rig, clip } = randomRig({ bones: 3, slots: 3, frames: 4, scale }, sheet(3, 3, 1, scale));
  const n = rig.mesh.positions.length / 3;
  const deltas = [Float32Array.from({ length: 3 * n }, (_, k) => (k < 6 ? (scale * (k + 1)) / 10 : 0))];
  const weights = [Float32Array.of(0, 0.5, 1, 0.25)];
  const plain = await writeSkinnedGlb({ rig, clips: [clip] });
  const { bytes } = await writeSkinnedGlb({ rig, clips: [clip], morphs: { deltas, weights } });
  return { bytes, plain: plain.bytes, deltas };
}

describe('glbToUsdz', () => {
  it.each([1, 1e3, 1e-3])('plays as the GLB does, at a size of %d', async (scale) => {
    const { plain } = await character(scale);
    const asset = await readGltf(plain);
    const root = new USDLoader().parse((await glbToUsdz(plain)).buffer as ArrayBuffer);
    let mesh: SkinnedMesh | undefined;
    root.traverse((object: Object3D) => {
      if ((object as SkinnedMesh).isSkinnedMesh) mesh = object as SkinnedMesh;
    });
    const mixer = new AnimationMixer(root);
    mixer.clipAction(root.animations[0]).play();
    const times = [0, 0.01, 0.05, 0.09];
    const baked = bakeSequence(asset, { times });
    const { positions, triangles } = baked.rest;
    const size = diagonalOf(boundsOf(positions));
    const point = new Vector3();
    times.forEach((time, t) => {
      mixer.setTime(time);
      root.updateMatrixWorld(true);
      let worst = 0;
      triangles.forEach((i, c) => {
        mesh?.getVertexPosition(mesh.geometry.index?.getX(c) ?? c, point).applyMatrix4(mesh.matrixWorld);
        const at = t * positions.length + 3 * i;
        worst = Math.max(worst, ...point.toArray().map((value, k) => Math.abs(value - baked.frames[at + k])));
      });
      expect(worst / size).toBeLessThan(1e-5);
    });
  });
});

describe('glbToUsda', () => {
  it('has blend shapes and their weights over time', async () => {
    const { bytes, deltas } = await character();
    const [layer, ...pictures] = await glbToUsda(bytes, { name: 'hero.glb' });
    expect(pictures).toEqual([]);
    const text = new TextDecoder().decode(layer.bytes);
    expect(text).toContain('def SkelRoot "hero"');
    const { specsByPath } = new USDAParser().parseData(text);
    const shape = Object.keys(specsByPath).find((path) => specsByPath[path].fields.typeName === 'BlendShape') as string;
    const value = (name: string) => [...(specsByPath[`${shape}.${name}`].fields.default as number[])].flat();
    expect(value('pointIndices')).toEqual([0, 1]);
    value('offsets').forEach((offset, k) => {
      expect(offset).toBeCloseTo(deltas[0][k], 6);
    });
    const weights = Object.keys(specsByPath).find((path) => path.endsWith('.blendShapeWeights')) as string;
    const samples = JSON.stringify(specsByPath[weights].fields.timeSamples);
    expect(samples).toContain('0.5');
    expect(samples).toContain('0.25');
  });

  it('writes the same bytes for the same file', async () => {
    const { bytes } = await character();
    expect(await glbToUsda(bytes)).toEqual(await glbToUsda(bytes));
  });
});
