import { type Rig, TRANSFORM_SIZE, type TwoLayerSkin } from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import { describe, expect, it } from 'vitest';
import { type GltfExtension, readGltf, readTwoLayer, twoLayerExtension, writeSkinnedGlb } from '../../src/index.ts';
import { randomRig } from './models.ts';

/** Two virtual bones in front of three masters: the first is half of masters 0 and 2, the second all of master 1. */
const MASTERS = { slots: 2, bones: Uint16Array.of(0, 2, 1, 0), weights: Float32Array.of(0.5, 0.5, 1, 0) };

function layered(): { rig: Rig; skin: TwoLayerSkin } {
  const { rig } = randomRig();
  const n = rig.mesh.positions.length / 3;
  const vertices = {
    slots: 1,
    bones: Uint16Array.from({ length: n }, (_, i) => i % 2),
    weights: new Float32Array(n).fill(1),
  };
  const rest = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  const bones = Array.from({ length: 5 }, (_, j) => ({ name: `bone ${j}`, parent: -1, rest }));
  return { rig: { ...rig, bones, weights: vertices }, skin: { masters: MASTERS, vertices } };
}

async function written(extension: GltfExtension, compress?: 'meshopt') {
  const transforms = Float64Array.from({ length: 2 * 5 * TRANSFORM_SIZE }, (_, k) => ((k % 12) % 5 === 0 ? 1 : 0));
  const clip = { name: 'still', times: Float64Array.of(0, 1), transforms };
  const { bytes } = await writeSkinnedGlb({ rig: layered().rig, clips: [clip], extensions: [extension] });
  return readGltf(compress ? (await compressGlb(bytes)).bytes : bytes);
}

describe('PELT_two_layer', () => {
  it('is not there where a file has none', async () => {
    const { bytes } = await writeSkinnedGlb({ rig: randomRig().rig, clips: [] });
    expect(readTwoLayer(await readGltf(bytes))).toBeUndefined();
  });

  it.each([undefined, 'meshopt'] as const)(
    'comes back as it was, the masters behind the virtual bones (%s)',
    async (how) => {
      const { skin } = layered();
      const back = readTwoLayer(await written(twoLayerExtension(skin), how));
      expect(back?.masters).toEqual({ ...MASTERS, bones: Uint16Array.of(2, 4, 3, 0) });
      expect(back?.vertices.weights.every((weight) => weight === 1 || weight === 0)).toBe(true);
    },
  );

  it('refuses what does not fit the file', async () => {
    const good = twoLayerExtension(layered().skin);
    const bad = async (json: object, buffers: object = {}) =>
      readTwoLayer(
        await written({ ...good, json: { ...good.json, ...json }, buffers: { ...good.buffers, ...buffers } }),
      );
    await expect(bad({ version: 2 })).rejects.toThrow(/has version 2; this reads version 1/);
    await expect(bad({ version: undefined })).rejects.toThrow(/has no version/);
    await expect(bad({ slots: 0 })).rejects.toThrow(/whole number from 1/);
    await expect(bad({ virtual: 5 })).rejects.toThrow(/5 virtual joints, but the file has 5/);
    await expect(bad({ virtual: 1 })).rejects.toThrow(/expected 2/);
    await expect(bad({}, { masterJoints: Uint16Array.of(0, 9, 1, 0) })).rejects.toThrow(/9/);
    await expect(bad({}, { masterWeights: Uint16Array.of(1, 1, 1, 1) })).rejects.toThrow(/must be a Float32Array/);
    const one = { slots: 2, bones: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.5) };
    await expect(bad({ virtual: 1 }, { masterJoints: one.bones, masterWeights: one.weights })).rejects.toThrow(
      /not virtual/,
    );
  });
});
