import { readGltf } from '@pelt/io';
import { CancelledError, UnsupportedError, UsageError } from '@pelt/model';
import { UNSEEN_ERROR } from '@pelt/pack';
import { CHARACTER_ASSET_DEFAULTS, characterAsset } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { loadSequence } from '../../src/input/load-sequence.ts';
import { sourceOf } from '../../src/input/source-files.ts';
import type { JobRequest } from '../../src/request/check-request.ts';
import { chainFiles, largestDifference, scene } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await chainFiles());
const vertices = scene.sequence.rest.positions.length / 3;
const triangles = scene.sequence.rest.triangles.length / 3;

const load = async (...paths: string[]) =>
  (await loadSequence(sourceOf(space.files, paths), {}, { files: space.files, warn: () => {} })).sequence;

describe('convert', () => {
  const convert = (inputs: readonly string[], output: string, options: JobRequest<'convert'>['options'] = {}) =>
    space.run({ command: 'convert', inputs, output, options });

  it.each([
    ['clip.pc2', 0],
    ['clip.mdd', 0],
    ['clip.abc', 0],
    ['clip.glb', 1e-6],
    ['f.obj', 0],
    ['f.ply', 0],
  ])('writes %s that reads back the same', async (name, tolerance) => {
    const out = `as-${name}`;
    const { report, written } = await convert(['rest.obj', 'clip.mdd'], `${out}/${name}`);
    const back = /pc2|mdd/.test(name)
      ? ['rest.obj', `${out}/${name}`]
      : [/glb|abc/.test(name) ? `${out}/${name}` : out];
    expect(largestDifference(await load(...back), scene.sequence)).toBeLessThanOrEqual(tolerance);
    expect(report.output.bytes).toBe(written.reduce((sum, path) => sum + space.read(path).length, 0));
    expect(report.input).toMatchObject({ vertices, triangles, frames: 12 });
    expect(report.output.frames).toBe(12);
  });

  it('packs a glTF as it is, with its error, and says a warning once', async () => {
    const bytes = characterAsset({ clips: 3 });
    space.files.set('web.glb', Uint8Array.from(bytes));
    const { report, written } = await convert(['web.glb'], 'packed.glb', { compress: 'meshopt' });
    expect(written).toEqual(['packed.glb']);
    expect(report.clips).toEqual((await readGltf(bytes)).animations.map(({ name }) => name));
    const { keys } = CHARACTER_ASSET_DEFAULTS;
    expect(report.input).toMatchObject({ bytes: bytes.length, frames: 3 * keys });
    expect(report.output).toMatchObject({ bytes: space.read('packed.glb').length, frames: 3 * keys });
    expect(report.rmsePercent).toBeGreaterThan(0);
    expect(report.rmsePercent).toBeLessThanOrEqual(100 * UNSEEN_ERROR);
    // Packed again it has nothing to lose, and little to win.
    const again = await convert(['packed.glb'], 'again.glb', { compress: 'meshopt' });
    expect(again.report.output.bytes).toBeLessThan(1.02 * report.output.bytes);
    expect(new Set(again.report.warnings).size).toBe(again.report.warnings.length);
  });

  it('says a fault once of a file that is read for each of its clips', async () => {
    space.files.set('faulty.glb', withHalfWeights(characterAsset({ clips: 2 })));
    const { report } = await convert(['faulty.glb'], 'faulty/clips.pc2');
    expect(report.warnings.filter((line) => line.includes('do not sum to 1'))).toHaveLength(1);
  });

  it('reads meshes of an Alembic archive as it is told', async () => {
    const { report } = await convert(['clip.abc'], 'archive/up.pc2', { up: 'z', scale: 100, mesh: ['chain'] });
    expect(report.input).toMatchObject({ vertices, triangles, frames: 12 });
    const { frames } = await load('rest.obj', 'archive/up.pc2');
    const [x, y, z] = scene.sequence.frames;
    expect([...frames.subarray(0, 3)]).toEqual([100 * x, 100 * z, -100 * y].map((value) => expect.closeTo(value, 3)));
    const slow = await convert(['clip.abc'], 'archive/slow.mdd', { fps: 12 });
    // 11 steps at 30 frames a second.
    expect(slow.report.input.frames).toBe(5);
    const one = await convert(['clip.abc'], 'archive/one.abc', { frame: 3 });
    expect(one.report.output.frames).toBe(1);
    await expect(convert(['clip.abc'], 'archive/x.glb', { mesh: ['nobody'] })).rejects.toThrow(
      "there is no mesh 'nobody'; the archive has '/chain/chain'",
    );
    await expect(convert(['morph.glb'], 'archive/x.glb', { up: 'z' })).rejects.toThrow(
      "--up is for Alembic archives; 'morph.glb' is not one",
    );
    await expect(convert(['clip.abc', 'rest.obj'], 'archive/x.glb')).rejects.toThrow(
      "'clip.abc' is an animation of its own",
    );
  });

  it('numbers frames, in the place of #', async () => {
    const { written } = await convert(['morph.glb'], 'deep/p##.ply', { ascii: true });
    expect(written).toEqual(Array.from({ length: 12 }, (_, t) => `deep/p${String(t + 1).padStart(2, '0')}.ply`));
    expect(space.text('deep/p01.ply')).toContain('format ascii 1.0');
  });

  it('writes one frame, or the rest pose, as a mesh', async () => {
    await convert(['rest.obj', 'clip.pc2'], 'one/third.obj', { frame: 3 });
    const size = 3 * vertices;
    expect((await load('one/third.obj')).frames).toEqual(scene.sequence.frames.slice(2 * size, 3 * size));
    await convert(['character.glb'], 'one/rest.ply', { frame: 'rest' });
    expect((await load('one/rest.ply')).rest.positions).toEqual(scene.sequence.rest.positions);
    await expect(convert(['frames'], 'one/x.obj', { frame: 13 })).rejects.toThrow(
      'there is no frame 13; the animation has 12',
    );
    await expect(convert(['frames'], 'one/x.pc2', { frame: 1 })).rejects.toThrow(UsageError);
  });

  it('writes materials once, beside the frames', async () => {
    for (const t of [1, 2]) {
      space.put(`in/a${t}.obj`, `mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 ${t} 0\nusemtl red\nf 1 2 3\n`);
    }
    space.put('in/a.mtl', 'newmtl red\nKd 1 0 0\n');
    const { report } = await convert(['in'], 'out/b.obj');
    expect(report.output.files.map(({ file }) => file)).toEqual(['out/b-0001.obj', 'out/b.mtl', 'out/b-0002.obj']);
    expect(space.text('out/b.mtl')).toContain('Kd 1 0 0');
    expect(space.text('out/b-0002.obj')).toContain('mtllib b.mtl');
  });

  it('refuses to replace what it reads, and formats it cannot write', async () => {
    await expect(convert(['rest.obj'], './frames/../rest.obj')).rejects.toThrow('would replace an input');
    await expect(convert(['frames'], 'frames/pose-#.obj')).rejects.toThrow(UsageError);
    await expect(convert(['rest.obj'], 'a.stl')).rejects.toThrow(UnsupportedError);
    expect(space.has('a.stl')).toBe(false);
  });

  it('stops where it is told to', async () => {
    const request = { command: 'convert', inputs: ['frames'], output: 'new/w.obj' } as const;
    await expect(space.cancelAt(request, /writing/)).rejects.toThrow(CancelledError);
  });
});

/** The weights of the first mesh of a GLB sum to a half. */
function withHalfWeights(glb: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(glb);
  const view = new DataView(bytes.buffer);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const { bufferView, byteOffset = 0, count } = json.accessors[json.meshes[0].primitives[0].attributes.WEIGHTS_0];
  const from = 28 + length + (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
  for (let at = from; at < from + 16 * count; at += 4) view.setFloat32(at, view.getFloat32(at, true) / 2, true);
  return bytes;
}
