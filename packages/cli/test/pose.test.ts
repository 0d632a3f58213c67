import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGltf, readObj, readPc2, readPoser, readRig, sequenceFromCache } from '@pelt/io';
import { frameAt, InputError, UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { largestDeviation, ThreePlayer } from '../../io/test/gltf/three-player.ts';
import { complaintsAbout } from '../../io/test/gltf/validate-glb.ts';
import { POSE_EXAMPLES } from '../src/commands/pose.ts';
import { readHandlePath } from '../src/input/read-handle-path.ts';
import type { PoseRequest } from '../src/jobs/pose.ts';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { scene, writeFixtures } from './fixtures.ts';
import { performHere } from './perform-here.ts';
import { scratchFolder } from './scratch-folder.ts';

const { folder } = fixtureFolder(writeFixtures);
const at = (name: string) => join(folder, name);

const rest = scene.sequence.rest.positions;
const last = rest.length / 3 - 1;
/** Where frame 6 has the first vertex, one in the middle and the last. */
const handles = [0, Math.floor(last / 2), last].map((vertex) => ({
  vertex,
  target: Array.from(frameAt(scene.sequence, 6).subarray(3 * vertex, 3 * vertex + 3)),
}));
const NONE = {
  examples: [],
  transfer: undefined,
  controls: undefined,
  proxies: undefined,
  details: true,
  handles: [],
  path: undefined,
  save: undefined,
  output: undefined,
  ridge: undefined,
  pull: undefined,
  threads: 1,
};
const poseHere = (model: string, more: Partial<PoseRequest>) =>
  performHere('pose', { ...NONE, model: at(model), ...more });

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] - b[k]) ** 2;
  return Math.sqrt(sum / (a.length / 3));
}

describe('the job', () => {
  it('learns from examples, poses, saves, and poses the same from what was saved', async () => {
    const out = scratchFolder();
    const [posed, save, again] = ['posed.obj', 'poser.glb', 'again.obj'].map((name) => join(out, name));
    const learnt = await poseHere('rest.obj', { examples: [at('frames')], controls: 4, handles, output: posed, save });
    expect(learnt.report.model).toMatchObject({ controls: 4, examples: 12, vertices: last + 1 });
    expect(learnt.report.largestHandleError).toBeLessThan(1e-3);
    expect(learnt.report.iterations).toBeGreaterThan(0);
    const { positions } = readObj(readFileSync(posed), { name: posed });
    expect(distance(positions, frameAt(scene.sequence, 6))).toBeLessThan(
      0.2 * distance(rest, frameAt(scene.sequence, 6)),
    );

    const opened = await performHere('pose', { ...NONE, model: save, handles, output: again });
    expect(opened.report.model).toMatchObject({ controls: 4, examples: 12, vertices: last + 1 });
    expect(distance(readObj(readFileSync(again), { name: again }).positions, positions)).toBeLessThan(1e-4);
  });

  it('animates handles over time, as a clip that can be posed again', async () => {
    const out = scratchFolder();
    const path = join(out, 'handles.json');
    const tracks = handles.map(({ vertex }) => ({
      vertex,
      positions: [3, 4, 5, 6].map((t) => Array.from(frameAt(scene.sequence, t).subarray(3 * vertex, 3 * vertex + 3))),
    }));
    writeFileSync(path, JSON.stringify({ fps: 30, handles: tracks }));
    const output = join(out, 'clip.glb');
    const { report } = await poseHere('character.glb', { path, output });
    expect(report.frames).toBe(4);
    const asset = await readGltf(readFileSync(output), { name: output });
    expect(readPoser(asset)?.exampleNames.length).toBe(12);
    const { clips } = readRig(asset);
    expect(clips[0].times.length).toBe(4);
    expect(clips[0].times[3]).toBeCloseTo(0.1, 5);
  });

  it('keeps details as morph targets that viewers play', async () => {
    const out = scratchFolder();
    const [path, save, clip, frames] = ['handles.json', 'poser.glb', 'clip.glb', 'clip.pc2'].map((name) =>
      join(out, name),
    );
    const times = [3, 6];
    const tracks = handles.map(({ vertex }) => ({
      vertex,
      positions: times.map((t) => Array.from(frameAt(scene.sequence, t).subarray(3 * vertex, 3 * vertex + 3))),
    }));
    writeFileSync(path, JSON.stringify({ fps: 30, handles: tracks }));
    // Two controls for three links: what they cannot do is left to the details.
    await poseHere('rest.obj', { examples: [at('frames')], controls: 2, save });
    await performHere('pose', { ...NONE, model: save, path, output: clip });
    await performHere('pose', { ...NONE, model: save, path, output: frames });
    const glb = readFileSync(clip);
    expect(await complaintsAbout(glb)).toEqual([]);
    const asset = await readGltf(glb, { name: clip });
    expect(readPoser(asset)?.exampleDetails.length).toBe(12);
    const posed = sequenceFromCache(scene.sequence.rest, readPc2(readFileSync(frames), { name: frames }));
    const player = await ThreePlayer.load(glb);
    times.forEach((t, k) => {
      expect(largestDeviation(frameAt(posed, k), player.positionsAt(0, Math.fround(k / 30)))).toBeLessThan(1e-5);
      const truth = frameAt(scene.sequence, t);
      expect(distance(frameAt(posed, k), truth)).toBeLessThan(0.2 * distance(rest, truth));
    });

    const plain = join(out, 'plain.glb');
    await poseHere('rest.obj', { examples: [at('frames')], controls: 2, details: false, save: plain });
    const without = await readGltf(readFileSync(plain), { name: plain });
    expect(readPoser(without)?.exampleDetails).toEqual([]);
    expect(readRig(without).morphs).toBeUndefined();
    expect(readFileSync(plain).length).toBeLessThan(readFileSync(save).length);
  });

  it('takes the pose space of another character', async () => {
    const out = scratchFolder();
    const [save, output] = [join(out, 'poser.glb'), join(out, 'posed.glb')];
    await poseHere('character.glb', { save });
    const { report } = await poseHere('fitted.glb', { transfer: save, handles, output });
    expect(report.model.examples).toBe(12);
    expect(report.largestHandleError).toBeLessThan(1e-2);
  });

  it('says what is missing or too much', async () => {
    const output = join(scratchFolder(), 'out.obj');
    await expect(poseHere('rest.obj', { output })).rejects.toThrow(UsageError);
    await expect(poseHere('morph.glb', { output })).rejects.toThrow(UsageError);
    await expect(poseHere('character.glb', {})).rejects.toThrow('nothing to write');
    await expect(poseHere('character.glb', { output, path: at('rest.obj'), handles })).rejects.toThrow(UsageError);
    await expect(poseHere('character.glb', { output, transfer: at('fitted.glb') })).rejects.toThrow('no poser');
    await expect(poseHere('character.glb', { output, handles: [{ vertex: 1e6, target: [0, 0, 0] }] })).rejects.toThrow(
      UsageError,
    );
  });
});

describe('handles over time', () => {
  const read = (value: unknown) => {
    const file = join(scratchFolder(), 'handles.json');
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return () => readHandlePath(file);
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
  ])('are refused with %s', (_, value) => {
    expect(read(value)).toThrow(InputError);
  });
});

describe('pelt pose', () => {
  it.each(POSE_EXAMPLES.map(({ run }) => [run]))('%s', async (run) => {
    const own = scratchFolder();
    await writeFixtures(own);
    const { code, stdout, stderr } = await pelt(run.split(' ').slice(1), own);
    expect(stderr.split('\n').filter((line) => !line.startsWith('warning: '))).toEqual(['']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/ → .* iterations .* s$/);
  });

  it('refuses handles that are none', async () => {
    for (const handle of ['5', 'x=1,2,3', '5=1,2', '5=1,2,x']) {
      const { code, stderr } = await pelt(['pose', 'character.glb', '--handle', handle, '-o', 'out.obj'], folder);
      expect(code).toBe(1);
      expect(stderr).toContain('like 120=0.5,1,-0.25');
    }
  });
});
