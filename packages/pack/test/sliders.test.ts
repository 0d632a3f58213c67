import { readGltf, readSliders, slidersExtension, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { fitSliders } from '@pelt/skin/sliders';
import { faceShapes } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { compressGlb } from '../src/index.ts';

describe('a packed face with sliders', () => {
  it('keeps them to the bit, and stores corrections of few vertices sparsely', async () => {
    const numerics = await openNumerics({ threads: 1 });
    const { rig, sliders } = fitSliders(faceShapes({ step: 0.01 }), { bones: 5, weights: 2 }, { numerics });
    numerics.close();
    const delta = new Float32Array(rig.mesh.positions.length);
    delta.set([0.01, -0.02, 0.03], 300);
    const write = async (deltas: readonly Float32Array[]) => {
      const model = { rig, clips: [], extensions: [slidersExtension(sliders)] };
      const { bytes } = await writeSkinnedGlb({
        ...model,
        ...(deltas.length > 0 && { morphs: { deltas, weights: [] } }),
      });
      return compressGlb(bytes, { maxError: 1e-5 });
    };
    const [plain, corrected] = [await write([]), await write([delta])];
    const asset = await readGltf(corrected.bytes);
    expect(readSliders(asset)).toEqual(readSliders(await readGltf(plain.bytes)));
    expect(corrected.bytes.length - plain.bytes.length).toBeLessThan(700);
    const [target] = asset.scene.morphs[0].targets;
    const place = 3 * corrected.places[100];
    [0.01, -0.02, 0.03].forEach((value, c) => {
      expect(target?.[place + c]).toBeCloseTo(value, 4);
    });
    expect(target?.filter((value) => value !== 0).length).toBe(3);
  });
});
