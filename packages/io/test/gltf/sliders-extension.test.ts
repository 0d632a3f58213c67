import type { Rig, Sliders } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { readGltf, readSliders, slidersExtension, writeSkinnedGlb } from '../../src/index.ts';

/** A strip of vertices over four bones at x = 0, 1, 2, 3. */
const rig: Rig = {
  name: 'strip',
  mesh: {
    name: 'strip',
    positions: Float32Array.from({ length: 24 }, (_, k) =>
      k % 3 === 0 ? Math.floor(k / 6) : k % 3 === 1 ? (k / 3) & 1 : 0,
    ),
    triangles: Uint32Array.from([0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5, 4, 6, 5, 5, 6, 7]),
  },
  bones: Array.from({ length: 30 }, (_, j) => ({
    name: `bone-${j}`,
    parent: j === 0 ? -1 : 0,
    rest: Float64Array.of(1, 0, 0, Math.min(j, 3), 0, 1, 0, 0, 0, 0, 1, 0),
  })),
  weights: {
    slots: 1,
    bones: Uint16Array.from([0, 0, 1, 1, 2, 2, 29, 29]),
    weights: new Float32Array(8).fill(1),
  },
};

/** The second slider has a gap of more than 255 places. */
const sliders: Sliders = {
  names: ['open', 'wide', 'none'],
  starts: Uint32Array.of(0, 2, 4, 4),
  bones: Uint16Array.of(1, 2, 0, 29),
  elements: Uint8Array.of(0, 7, 3, 11),
  values: Float32Array.of(0.25, -2, 1, 1e3),
};
const clips = [{ name: 'talk', times: Float64Array.of(0, 0.5), values: Float32Array.of(0, 0, 0, 1, 0.5, 0) }];

const written = async () =>
  (await writeSkinnedGlb({ rig, clips: [], extensions: [slidersExtension(sliders, clips)] })).bytes;

describe('PELT_sliders', () => {
  it('gives names, maps and clips back, to 16 bits of the largest number of the column of a joint', async () => {
    const read = readSliders(await readGltf(await written()));
    expect(read?.sliders.names).toEqual(sliders.names);
    expect(read?.sliders.starts).toEqual(sliders.starts);
    expect(read?.sliders.bones).toEqual(sliders.bones);
    expect(read?.sliders.elements).toEqual(sliders.elements);
    read?.sliders.values.forEach((value, k) => {
      expect(Math.abs(value - sliders.values[k])).toBeLessThanOrEqual(Math.abs(sliders.values[k]) / 0x7fff);
    });
    expect(read?.clips).toEqual(clips);
  });

  it('rounds numbers to units of their columns, a byte each where that reaches', async () => {
    const units = new Float32Array(120).fill(0.15);
    const extension = slidersExtension(sliders, [], units);
    expect(extension.buffers.values).toEqual(Int8Array.of(2, -13, 7, 0, -128));
    expect(extension.buffers.wide).toEqual(Int16Array.of(6667));
    const { bytes } = await writeSkinnedGlb({ rig, clips: [], extensions: [extension] });
    const read = readSliders(await readGltf(bytes));
    [0.3, -1.95, 1.05, 1000.05].forEach((value, k) => {
      expect(read?.sliders.values[k]).toBeCloseTo(value, 3);
    });
  });

  it('is absent from other files', async () => {
    const { bytes } = await writeSkinnedGlb({ rig, clips: [] });
    expect(readSliders(await readGltf(bytes))).toBeUndefined();
  });

  it('refuses what does not fit', async () => {
    const good = slidersExtension(sliders, clips);
    const load = async (json: object, buffers: object = {}) => {
      const extension = { ...good, json: { ...good.json, ...json }, buffers: { ...good.buffers, ...buffers } };
      return readSliders(await readGltf((await writeSkinnedGlb({ rig, clips: [], extensions: [extension] })).bytes));
    };
    await expect(load({ version: 9 })).rejects.toThrow(/PELT_sliders has version 9/);
    await expect(load({ sliders: 'x' })).rejects.toThrow(/list of names/);
    await expect(load({ sliders: ['open', 'open', 'none'] })).rejects.toThrow(/two are called 'open'/);
    await expect(load({ sliders: ['open'] })).rejects.toThrow(/do not fit/);
    await expect(load({}, { gaps: new Uint8Array(5).fill(255) })).rejects.toThrow(/end before entry/);
    await expect(load({}, { scales: new Float32Array(120).fill(Number.NaN) })).rejects.toThrow(/not a finite number/);
    await expect(load({}, { scales: new Float32Array(8) })).rejects.toThrow(/end before entry/);
    await expect(load({}, { wide: new Int16Array(0) })).rejects.toThrow(/end before entry/);
    await expect(load({ clips: [{ name: 'talk', frames: 9 }] })).rejects.toThrow(/slider clip 'talk'/);
  });
});
