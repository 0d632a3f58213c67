import { InputError, UnsupportedError, UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { type InputOptions, loadSequence } from '../../src/input/load-sequence.ts';
import { sourceOf, sourcesOf } from '../../src/input/source-files.ts';
import { chainFiles, largestDifference, scene } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await chainFiles());
const { files } = space;

async function load(names: readonly string[], options: InputOptions = {}) {
  const warnings: string[] = [];
  const reader = { files, warn: (message: string) => warnings.push(message) };
  const loaded = await loadSequence(sourceOf(files, names, options.rest), options, reader);
  return { ...loaded, warnings };
}

describe('loadSequence', () => {
  it.each([
    ['a mesh and its PC2', ['rest.obj', 'clip.pc2'], 0],
    ['a PC2 before its mesh', ['clip.pc2', 'rest.obj'], 0],
    ['a mesh and its MDD', ['rest.obj', 'clip.mdd'], 0],
    ['a folder of OBJ', ['frames'], 0],
    ['a folder of PLY', ['scans'], 0],
    ['morph targets', ['morph.glb'], 1e-6],
    ['a skin', ['character.glb'], 1e-5],
    ['an Alembic archive', ['clip.abc'], 0],
    ['a cache on the mesh of a GLB', ['character.glb', 'clip.pc2'], 0],
    ['a cache on the mesh of an Alembic archive', ['clip.abc', 'clip.pc2'], 0],
  ])('reads %s', async (_, names, tolerance) => {
    const { sequence, bytes, warnings } = await load(names);
    expect(largestDifference(sequence, scene.sequence)).toBeLessThanOrEqual(tolerance);
    expect(sequence.rest.triangles).toEqual(scene.sequence.rest.triangles);
    expect(bytes).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
  });

  it('puts frames in natural order, whatever the order they are given in', async () => {
    const names = Array.from({ length: 12 }, (_, t) => `frames/pose-${12 - t}.obj`);
    const { sequence, label } = await load(names);
    expect(largestDifference(sequence, scene.sequence)).toBe(0);
    expect(label).toBe('frames/pose-1.obj … frames/pose-12.obj');
    expect((await load(['frames'])).label).toBe('frames');
  });

  it('takes the rest pose that is given, else the first frame', async () => {
    expect((await load(['frames'], { rest: 'rest.obj' })).sequence.rest.positions).toEqual(
      scene.sequence.rest.positions,
    );
    expect((await load(['frames'])).sequence.rest.positions).toEqual(
      scene.sequence.frames.subarray(0, scene.sequence.rest.positions.length),
    );
    expect((await load(['clip.pc2'], { rest: 'rest.obj' })).sequence.rest.positions).toEqual(
      scene.sequence.rest.positions,
    );
    expect((await load(['clip.abc'], { rest: 'rest.obj' })).sequence.rest.positions).toEqual(
      scene.sequence.rest.positions,
    );
    expect((await load(['morph.glb'], { rest: 'rest.obj' })).sequence.rest.positions).toEqual(
      scene.sequence.rest.positions,
    );
  });

  it('does not take the rest pose for a frame where a folder or a pattern holds both', async () => {
    for (const name of ['pose-1.obj', 'pose-2.obj']) space.put(`both/${name}`, space.read(`frames/${name}`));
    space.put('both/rest.obj', space.read('rest.obj'));
    expect((await load(['both'], { rest: 'both/rest.obj' })).sequence.times).toHaveLength(2);
    expect((await load(['both'])).sequence.times).toHaveLength(3);
    const listed = ['both/pose-1.obj', 'both/rest.obj', 'both/pose-2.obj'];
    expect((await load(listed, { rest: 'both/../both/rest.obj' })).sequence.times).toHaveLength(2);
  });

  it('counts time by --fps where the file does not say, and samples a glTF at it', async () => {
    expect((await load(['rest.obj', 'clip.pc2'], { fps: 10 })).sequence.times[1]).toBeCloseTo(0.1, 6);
    expect((await load(['rest.obj', 'clip.mdd'], { fps: 10 })).sequence.times[1]).toBeCloseTo(0.1, 6);
    expect((await load(['frames'], { fps: 50 })).sequence.times[1]).toBeCloseTo(0.02, 6);
    // 12 frames at 30 a second, sampled twice as densely
    expect((await load(['character.glb'], { fps: 60 })).sequence.times).toHaveLength(23);
  });

  it('gives the rig of a skinned file', async () => {
    const { skinned, sequence } = await load(['character.glb']);
    expect(skinned?.rig.bones).toHaveLength(3);
    expect(skinned?.clip.times).toHaveLength(sequence.times.length);
    expect((await load(['morph.glb'])).skinned).toBeUndefined();
  });

  it('chooses a clip by name or number', async () => {
    expect((await load(['character.glb'], { clip: 'swing' })).sequence.times).toHaveLength(12);
    expect((await load(['character.glb'], { clip: '0' })).sequence.times).toHaveLength(12);
    await expect(load(['character.glb'], { clip: 'run' })).rejects.toThrow(
      "there is no clip 'run'; the file has 'swing'",
    );
    await expect(load(['character.glb'], { clip: '1' })).rejects.toThrow(UsageError);
    await expect(load(['frames'], { clip: 'run' })).rejects.toThrow('--clip chooses an animation of a glTF');
  });

  it('names what does not go together', async () => {
    await expect(load(['clip.pc2'])).rejects.toThrow('holds points without a mesh');
    await expect(load(['frames/pose-1.obj', 'clip.pc2'], { rest: 'rest.obj' })).rejects.toThrow('is given twice');
    await expect(load(['rest.obj', 'clip.pc2', 'clip.mdd'])).rejects.toThrow('are two caches');
    await expect(load(['rest.obj', 'frames/pose-1.obj', 'clip.pc2'])).rejects.toThrow(
      'goes with one mesh, but 2 are given',
    );
    await expect(load(['rest.obj', 'morph.glb'])).rejects.toThrow('is an animation of its own');
    await expect(load([])).rejects.toThrow('no input is given');
    await expect(load(['clip.pc2'], { rest: 'clip.mdd' })).rejects.toThrow('give a mesh as --rest');
    await expect(load(['rest.obj'], { rest: 'rest.obj' })).rejects.toThrow('no frame beside the rest pose');
  });

  it('names counts that differ', async () => {
    space.put('triangle.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    await expect(load(['triangle.obj', 'clip.pc2'])).rejects.toThrow(InputError);
    await expect(load(['triangle.obj', 'clip.pc2'])).rejects.toThrow(
      /has \d+ points, but mesh 'triangle' has 3 vertices/,
    );
    await expect(load(['frames'], { rest: 'triangle.obj' })).rejects.toThrow(InputError);
    await expect(load(['morph.glb'], { rest: 'triangle.obj' })).rejects.toThrow("'triangle' has 3 vertices, but");
  });

  it('refuses empty folders, empty and foreign files', async () => {
    space.put('empty/notes.txt', 'hello');
    space.put('nothing.obj', '');
    space.put('scene.blend', 'BLENDER-v300');
    await expect(load(['empty'])).rejects.toThrow(
      'holds no obj, ply, glb, gltf, fbx, abc, usd, usda, usdc, usdz, pc2, mdd files',
    );
    await expect(load(['nothing.obj'])).rejects.toThrow(InputError);
    space.put('short.abc', 'Ogawa');
    await expect(load(['scene.blend'])).rejects.toThrow(UnsupportedError);
    await expect(load(['short.abc'])).rejects.toThrow('5 bytes are too short for an archive');
    await expect(load(['absent.obj'])).rejects.toThrow('there is no such file');
  });

  it('stops where it is told to', async () => {
    const context = { signal: { aborted: true } };
    await expect(loadSequence(sourceOf(files, ['frames']), {}, { files, warn: () => {} }, context)).rejects.toThrow(
      'cancelled',
    );
  });
});

describe('sourceOf', () => {
  it('finds a format by content, behind any extension', () => {
    space.put('clip.data', space.read('clip.mdd'));
    space.put('character.bin', space.read('character.glb'));
    expect(sourceOf(files, ['rest.obj', 'clip.data']).cache?.format).toBe('mdd');
    expect(sourceOf(files, ['character.bin']).meshes[0].format).toBe('glb');
  });

  it('takes hidden files for what they are', () => {
    space.put('hidden/a.obj', space.read('rest.obj'));
    space.put('hidden/._a.obj', 'leftover of another system');
    expect(sourceOf(files, ['hidden']).meshes).toHaveLength(1);
  });
});

describe('sourcesOf', () => {
  it('gives a cache to the mesh before it, and makes each folder one animation', () => {
    const labels = (names: string[]) =>
      sourcesOf(files, names).map(({ meshes, cache }) => [meshes.length, cache?.format]);
    expect(labels(['rest.obj', 'clip.pc2', 'character.glb'])).toEqual([
      [1, 'pc2'],
      [1, undefined],
    ]);
    expect(labels(['character.glb', 'rest.obj', 'clip.pc2'])).toEqual([
      [1, undefined],
      [1, 'pc2'],
    ]);
    expect(labels(['frames', 'clip.mdd'])).toEqual([
      [12, undefined],
      [0, 'mdd'],
    ]);
    expect(labels(['rest.obj', 'clip.pc2', 'clip.mdd'])).toEqual([
      [1, 'pc2'],
      [0, 'mdd'],
    ]);
    expect(labels(['rest.obj', 'rest.obj'])).toEqual([
      [1, undefined],
      [1, undefined],
    ]);
  });
});
