import { readGltf, readObj, readPc2, readPoser, readRig, sequenceFromCache } from '@pelt/io';
import { frameAt, InputError, UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { largestDeviation, ThreePlayer } from '../../../io/test/gltf/three-player.ts';
import { complaintsAbout } from '../../../io/test/gltf/validate-glb.ts';
import { readHandlePath } from '../../src/pose/read-handle-path.ts';
import type { JobRequest } from '../../src/request/check-request.ts';
import { chainFiles, scene } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await chainFiles());

const rest = scene.sequence.rest.positions;
const last = rest.length / 3 - 1;
/** Where frame 6 has the first vertex, one in the middle and the last. */
const handles = [0, Math.floor(last / 2), last].map((vertex) => ({
  vertex,
  target: Array.from(frameAt(scene.sequence, 6).subarray(3 * vertex, 3 * vertex + 3)) as [number, number, number],
}));
const pose = (model: string, options: JobRequest<'pose'>['options'], output?: string) =>
  space.run({ command: 'pose', inputs: [model], ...(output && { output }), options });
const examples = ['frames'];

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] - b[k]) ** 2;
  return Math.sqrt(sum / (a.length / 3));
}

describe('pose', () => {
  it('learns from examples, poses, saves, and poses the same from what was saved', async () => {
    const save = 'poser.glb';
    const learnt = await pose('rest.obj', { examples, controls: 4, handle: handles, save }, 'posed.obj');
    expect(learnt.written).toEqual(['posed.obj', 'poser.glb']);
    expect(learnt.report.model).toMatchObject({ controls: 4, examples: 24, vertices: last + 1 });
    expect(learnt.report.largestHandleError).toBeLessThan(1e-3);
    expect(learnt.report.iterations).toBeGreaterThan(0);
    const { positions } = readObj(space.read('posed.obj'));
    expect(distance(positions, frameAt(scene.sequence, 6))).toBeLessThan(
      0.2 * distance(rest, frameAt(scene.sequence, 6)),
    );

    const opened = await pose(save, { handle: handles }, 'again.obj');
    expect(opened.report.model).toMatchObject({ controls: 4, examples: 24, vertices: last + 1 });
    expect(distance(readObj(space.read('again.obj')).positions, positions)).toBeLessThan(1e-4);
  });

  it('learns from handles as from sculpts, beside them or on top of what was saved', async () => {
    const shown = (t: number) =>
      Object.fromEntries(
        handles.map(({ vertex }) => [vertex, [...frameAt(scene.sequence, t).subarray(3 * vertex, 3 * vertex + 3)]]),
      );
    space.put('dragged.json', JSON.stringify({ examples: [{ name: 'dragged', handles: shown(6) }] }));
    await pose('rest.obj', { examples: ['frames'], controls: 4, mirror: false, save: 'poser.glb' });
    const { report } = await pose('poser.glb', { examples: ['dragged.json'], save: 'more.glb' });
    expect(report.model.examples).toBe(13);
    const poser = readPoser(await readGltf(space.read('more.glb'), { name: 'more.glb' }));
    expect(poser?.exampleNames.at(-1)).toBe('dragged');
    expect(poser?.exampleDetails).toHaveLength(13);
    const beside = await pose('rest.obj', { examples: ['frames', 'dragged.json'], controls: 4, save: 'x.glb' });
    expect(beside.report.model.examples).toBe(26);
    // A rig keeps its file; its clip is what it was learnt from.
    await pose('character.glb', { examples: ['dragged.json'], save: 'rigged.glb' });
    const rigged = await readGltf(space.read('rigged.glb'), { name: 'rigged.glb' });
    expect(readPoser(rigged)?.exampleNames).toContain('dragged');
    expect(rigged.animations).toHaveLength(1);
    space.put('wrong.json', '{ "examples": [{ "name": "x", "handles": { "nose": [0, 0, 0] } }] }');
    await expect(pose('poser.glb', { examples: ['wrong.json'], save: 'x.glb' })).rejects.toThrow(
      /is not as it should be/,
    );
    space.put('far.json', '{ "examples": [{ "name": "x", "handles": { "99999": [0, 0, 0] } }] }');
    await expect(pose('poser.glb', { examples: ['far.json'], save: 'x.glb' })).rejects.toThrow(/99999/);
  });

  it('animates handles over time, as a clip that can be posed again', async () => {
    const tracks = handles.map(({ vertex }) => ({
      vertex,
      positions: [3, 4, 5, 6].map((t) => Array.from(frameAt(scene.sequence, t).subarray(3 * vertex, 3 * vertex + 3))),
    }));
    space.put('handles.json', JSON.stringify({ fps: 30, handles: tracks }));
    const { report } = await pose('character.glb', { path: 'handles.json' }, 'clip.glb');
    expect(report.frames).toBe(4);
    const asset = await readGltf(space.read('clip.glb'), { name: 'clip.glb' });
    expect(readPoser(asset)?.exampleNames.length).toBe(24);
    const { clips } = readRig(asset);
    expect(clips[0].times.length).toBe(4);
    expect(clips[0].times[3]).toBeCloseTo(0.1, 5);
  });

  it('keeps details as morph targets that viewers play', async () => {
    const [path, save] = ['handles.json', 'poser.glb'];
    const times = [3, 6];
    const tracks = handles.map(({ vertex }) => ({
      vertex,
      positions: times.map((t) => Array.from(frameAt(scene.sequence, t).subarray(3 * vertex, 3 * vertex + 3))),
    }));
    space.put(path, JSON.stringify({ fps: 30, handles: tracks }));
    // Two controls for three links: what they cannot do is left to the details.
    await pose('rest.obj', { examples, controls: 2, save });
    await pose(save, { path }, 'clip.glb');
    await pose(save, { path }, 'posed.pc2');
    const glb = space.read('clip.glb');
    expect(await complaintsAbout(glb)).toEqual([]);
    const asset = await readGltf(glb, { name: 'clip.glb' });
    expect(readPoser(asset)?.exampleDetails.length).toBe(12);
    const posed = sequenceFromCache(scene.sequence.rest, readPc2(space.read('posed.pc2')));
    const player = await ThreePlayer.load(glb);
    times.forEach((t, k) => {
      expect(largestDeviation(frameAt(posed, k), player.positionsAt(0, Math.fround(k / 30)))).toBeLessThan(1e-5);
      const truth = frameAt(scene.sequence, t);
      expect(distance(frameAt(posed, k), truth)).toBeLessThan(0.2 * distance(rest, truth));
    });

    await pose('rest.obj', { examples, controls: 2, details: false, save: 'plain.glb' });
    const without = await readGltf(space.read('plain.glb'), { name: 'plain.glb' });
    expect(readPoser(without)?.exampleDetails).toEqual([]);
    expect(readRig(without).morphs).toBeUndefined();
    expect(space.read('plain.glb').length).toBeLessThan(space.read(save).length);
  });

  it('takes the pose space of another character', async () => {
    await pose('character.glb', { save: 'poser.glb' });
    const { report } = await pose('fitted.glb', { transfer: 'poser.glb', handle: handles }, 'posed.glb');
    expect(report.model.examples).toBe(24);
    expect(report.largestHandleError).toBeLessThan(1e-2);
  });

  it('says what is missing or too much', async () => {
    const handle = [{ vertex: 1e6, target: [0, 0, 0] as [number, number, number] }];
    await expect(pose('rest.obj', {}, 'z.obj')).rejects.toThrow(UsageError);
    await expect(pose('morph.glb', {}, 'z.obj')).rejects.toThrow(UsageError);
    await expect(pose('character.glb', {})).rejects.toThrow('nothing to write');
    await expect(pose('character.glb', { save: 'z.obj' })).rejects.toThrow('a path that ends in .glb');
    await expect(pose('character.glb', { path: 'rest.obj', handle: handles }, 'z.obj')).rejects.toThrow(UsageError);
    await expect(pose('character.glb', { transfer: 'fitted.glb' }, 'z.obj')).rejects.toThrow('no poser');
    await expect(pose('rest.obj', { examples, transfer: 'fitted.glb' }, 'z.obj')).rejects.toThrow('give one of them');
    await expect(pose('character.glb', { handle }, 'z.obj')).rejects.toThrow(UsageError);
  });
});

describe('handles over time', () => {
  const read = (value: unknown) => {
    space.put('path.json', typeof value === 'string' ? value : JSON.stringify(value));
    return () => readHandlePath('path.json', space);
  };
  const track = {
    vertex: 1,
    positions: [
      [0, 0, 0],
      [1, 0, 0],
    ],
  };

  it('have a place for every frame', () => {
    const { times, frames } = read({ times: [2, 2.5], handles: [track, { ...track, vertex: 2, softness: 1 }] })();
    expect(Array.from(times)).toEqual([0, 0.5]);
    expect(frames[1]).toEqual([
      { vertex: 1, softness: 0, target: [1, 0, 0] },
      { vertex: 2, softness: 1, target: [1, 0, 0] },
    ]);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', []],
    ['no handles', { handles: [] }],
    ['no vertex', { handles: [{ positions: [[0, 0, 0]] }] }],
    ['no points', { handles: [{ vertex: 1, positions: [[0, 0]] }] }],
    ['other lengths', { handles: [track, { vertex: 2, positions: [[0, 0, 0]] }] }],
    ['falling times', { times: [1, 0], handles: [track] }],
    ['no rate', { fps: 0, handles: [track] }],
    ['too few times', { times: [1], handles: [track] }],
  ])('are refused with %s', (_, value) => {
    expect(read(value)).toThrow(InputError);
  });
});
