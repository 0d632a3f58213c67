import { InputError, UnsupportedError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { bakeSequence, fbxToGlb, readGltf, readRig } from '../../src/index.ts';
import { asciiFbx, STRIP, type StripOptions } from './ascii-fbx.ts';

async function convert(options?: StripOptions) {
  const warnings: string[] = [];
  const onWarning = (message: string) => warnings.push(message);
  const glb = await fbxToGlb(asciiFbx(options), { name: 'strip.fbx', onWarning });
  return { asset: await readGltf(glb), warnings };
}

/** Rows of a frame, rounded and sorted: the loader orders vertices by corners. */
function points(positions: Float32Array): string[] {
  const rows = Array.from({ length: positions.length / 3 }, (_, i) =>
    [...positions.subarray(3 * i, 3 * i + 3)].map((value) => (Math.round(value * 1e4) / 1e4 + 0).toFixed(4)).join(' '),
  );
  return [...new Set(rows)].sort();
}

describe('fbxToGlb', () => {
  it('keeps the rest pose, in metres', async () => {
    const { asset, warnings } = await convert();
    expect(points(asset.mesh.positions)).toEqual(points(Float32Array.from(STRIP)));
    expect(warnings).toEqual([]);
    const { asset: centimetres } = await convert({ unit: 1 });
    expect(points(centimetres.mesh.positions)).toEqual(points(Float32Array.from(STRIP, (value) => value / 100)));
  });

  it('reads a Buffer that is a part of a larger memory, as small files of Node are', async () => {
    const whole = asciiFbx();
    const pool = Buffer.alloc(whole.length + 64, '#');
    pool.set(whole, 32);
    expect(await fbxToGlb(pool.subarray(32, 32 + whole.length))).toEqual(await fbxToGlb(whole));
  });

  it('merges the corners of triangles again', async () => {
    const { asset } = await convert();
    expect(asset.mesh.positions.length / 3).toBe(6);
    expect(asset.mesh.triangles.length / 3).toBe(4);
  });

  it('takes over bones, weights and the clip', async () => {
    const { asset } = await convert();
    const { rig, clips } = readRig(asset);
    expect(rig.bones.map(({ name }) => name)).toEqual(['root', 'tip']);
    expect(rig.bones[1].parent).toBe(0);
    expect(clips.map(({ name }) => name)).toEqual(['bend']);
  });

  it('plays skin and blend shape: a quarter turn of the tip, the foot lifted by one', async () => {
    const { asset } = await convert();
    const { frames, times, rest } = bakeSequence(asset);
    const last = frames.subarray((times.length - 1) * rest.positions.length);
    const expected = [0, -0.5, 1, 0, 0.5, 1, 1, -0.5, 0, 1, 0.5, 0, 1.5, 1, 0, 0.5, 1, 0];
    expect(points(last)).toEqual(points(Float32Array.from(expected)));
  });

  it('finds the mesh of a blend shape although a bone has its name', async () => {
    const { asset } = await convert({ mesh: 'tip' });
    expect(asset.animations[0].channels.map(({ path }) => path)).toContain('weights');
  });

  it('turns a file whose up axis is z', async () => {
    const { asset } = await convert({ upAxis: 2 });
    const y = asset.mesh.positions.filter((_, k) => k % 3 === 1);
    expect(Math.max(...y.map(Math.abs))).toBeLessThan(1e-6);
  });

  it('reads a file with a camera, without a window', async () => {
    const { asset } = await convert({ camera: true });
    expect(asset.skinned).toBe(true);
    expect('window' in globalThis).toBe(false);
  });

  it.each([
    [asciiFbx({ version: 6100 }), UnsupportedError, "FBX 'a.fbx': it is FBX 6.1; export it as FBX 2011"],
    [new TextEncoder().encode('solid cube'), InputError, "FBX 'a.fbx': it is neither a binary nor a text FBX"],
    [new Uint8Array(0), InputError, "FBX 'a.fbx': it is neither a binary nor a text FBX"],
  ])('refuses what it cannot read (%#)', async (bytes, kind, message) => {
    const converted = fbxToGlb(bytes, { name: 'a.fbx' });
    await expect(converted).rejects.toThrow(kind);
    await expect(converted).rejects.toThrow(message);
  });

  it('reads or refuses a file cut anywhere', async () => {
    const whole = asciiFbx();
    for (let length = 0; length < whole.length; length += 97) {
      try {
        await readGltf(await fbxToGlb(whole.slice(0, length)));
      } catch (error) {
        expect((error as Error).message).toMatch(/^[^\n]{20,}$/);
        expect(error).toBeInstanceOf(Error);
      }
    }
  });
});
