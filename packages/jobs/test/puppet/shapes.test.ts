import { readGltf, readPc2, writeMorphGlb, writeObj, writePairs } from '@pelt/io';
import { frameAt, InputError, type PairsDocument, poseAt, UsageError } from '@pelt/model';
import { playerOf } from '@pelt/skin/play/runtime';
import { creatureScene, extremities } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { characterOf } from '../../src/input/asset-motion.ts';
import { dogFiles } from '../dog-files.ts';
import { Workspace } from '../workspace.ts';

const { sequence } = creatureScene({ frames: 5, detail: 0.08 });
const { rest } = sequence;
const size = 3 * (rest.positions.length / 3);

/** Poses of me.bvh, ten frames each, that differ. */
const HELD = [0, 1, 2, 4];

/** The moments of me.bvh at which the performer has held a pose for a while. */
const pairsOf = (characters: readonly PairsDocument['pairs'][number]['character'][]) =>
  writePairs({
    name: 'creature',
    neutral: 'pair 0',
    motions: {},
    pairs: characters.map((character, k) => ({
      name: `pair ${k}`,
      performer: { time: (10 * HELD[k] + 8) / 30 },
      character,
    })),
  });
const [tip] = extremities(rest.positions, 1);
const place = [...frameAt(sequence, 3).subarray(3 * tip, 3 * tip + 3)] as [number, number, number];
const sculptsOf = (name: (e: number) => string) =>
  pairsOf([{ example: 'rest' }, { example: name(1) }, { blend: { [name(2)]: 0.5 } }, { handles: { [tip]: place } }]);

const space = new Workspace(await dogFiles());
const characterAt = async (path: string) => characterOf(await readGltf(space.read(path), { name: path }), path);
const LEARNT = { motion: 'me.bvh', controls: 8, delay: 0, travel: 0, turn: false } as const;
const perform = (input: string, output: string, options: object = {}) =>
  space.run({ command: 'puppet', inputs: [input], output, options: { ...LEARNT, pairs: 'forms.json', ...options } });

beforeAll(async () => {
  const shape = (t: number) => writeObj({ ...rest, positions: frameAt(sequence, t) })[0].bytes;
  space.put('forms/rest.obj', writeObj(rest)[0].bytes);
  for (let t = 0; t < 5; t++) space.put(`forms/pose-${t}.obj`, shape(t));
  space.put(
    'forms.json',
    sculptsOf((e) => `pose-${e}`),
  );
  await perform('forms', 'puppet.glb', { savePairs: true });
});

/** Positions of a written clip at a key. */
async function playedAt(path: string, t: number): Promise<Float32Array> {
  const character = await characterAt(path);
  const [clip] = character.clips;
  const R = character.morphs.length;
  const out = new Float32Array(character.mesh.positions.length);
  const morphs = clip.morphWeights?.subarray(t * R, (t + 1) * R);
  playerOf(character).positions(poseAt(clip, t, character.joints.length).transforms, morphs, out);
  return out;
}
const rms = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.sqrt(Array.from(a).reduce((sum, value, k) => sum + (value - b[k]) ** 2, 0) / (a.length / 3));

describe('puppet of shapes without a rig', () => {
  it('plays a folder of sculpts: each pair takes its shape', async () => {
    expect(rms(await playedAt('puppet.glb', 8), rest.positions)).toBeLessThan(0.01);
    expect(rms(await playedAt('puppet.glb', 18), frameAt(sequence, 1))).toBeLessThan(0.02);
    const dragged = await playedAt('puppet.glb', 48);
    expect(Math.hypot(...place.map((value, k) => value - dragged[3 * tip + k]))).toBeLessThan(0.03);
  });

  it('keeps the pose space and the pairs: the file performs again without them', async () => {
    const saved = await characterAt('puppet.glb');
    expect(saved.poseSpace?.exampleNames.slice(0, 5)).toEqual(['1', '2', '3', '4', '5']);
    expect(saved.puppet?.pairs.pairs).toHaveLength(4);
    const { report } = await perform('puppet.glb', 'again.pc2', { pairs: undefined });
    expect(report.pairs).toHaveLength(4);
    expect(report.input.bones).toBe(saved.joints.length);
    const { frames, points } = readPc2(space.read('again.pc2'));
    expect(points).toBe(rest.positions.length / 3);
    expect(rms(frames.subarray(18 * size, 19 * size), frameAt(sequence, 1))).toBeLessThan(0.02);
    await expect(perform('puppet.glb', 'x.glb', { pairs: undefined, parts: 'body' })).rejects.toThrow(
      /needs a skeleton/,
    );
  });

  it('takes morph targets by name, and a mesh with --examples', async () => {
    space.put('morphs.glb', (await writeMorphGlb(sequence)).bytes);
    const { morphs } = await characterAt('morphs.glb');
    const name = (e: number) => morphs[e].name || `target ${e}`;
    space.put('morphs.json', pairsOf([{ example: 'rest' }, { example: name(1) }]));
    await perform('morphs.glb', 'morphed.pc2', { pairs: 'morphs.json' });
    const { frames } = readPc2(space.read('morphed.pc2'));
    const truth = morphs[1].deltas.map((delta, k) => delta + rest.positions[k]);
    expect(rms(frames.subarray(18 * size, 19 * size), truth)).toBeLessThan(0.02);
    const { report } = await perform('forms/rest.obj', 'given.glb', { examples: ['forms'] });
    expect(report.output.keys).toBe(80);
  });

  it('holds a vertex in place, and plants feet', async () => {
    const handle = [{ vertex: tip, target: place }];
    const { report } = await perform('puppet.glb', 'held.pc2', { pairs: undefined, handle, contacts: 'auto' });
    expect(report.feet?.length).toBeGreaterThan(0);
    await perform('puppet.glb', 'held.pc2', { pairs: undefined, handle });
    const { frames } = readPc2(space.read('held.pc2'));
    const gaps = [8, 18, 60].map((t) => Math.hypot(...place.map((value, k) => value - frames[t * size + 3 * tip + k])));
    expect(Math.max(...gaps)).toBeLessThan(0.05);
  });

  it('suggests pairs that name the rest pose', async () => {
    await perform('forms', 'suggested.json', { pairs: undefined, suggest: 3 });
    const { pairs } = JSON.parse(new TextDecoder().decode(space.read('suggested.json')));
    expect(pairs.map(({ character }: { character: unknown }) => character)).toEqual(
      new Array(3).fill({ example: 'rest' }),
    );
  });

  it('refuses what it cannot make a performance of, in one line', async () => {
    await expect(perform('forms', 'x.glb', { pairs: undefined })).rejects.toThrow(/no skeleton; give --pairs/);
    await expect(perform('forms/rest.obj', 'x.glb')).rejects.toThrow(/is a mesh alone; give --examples/);
    await expect(perform('forms', 'x.obj')).rejects.toThrow(UsageError);
    space.put('wrong.json', pairsOf([{ example: 'rest' }, { example: 'jump' }]));
    await expect(perform('forms', 'x.glb', { pairs: 'wrong.json' })).rejects.toThrow(
      /pair 'pair 1': there is no example 'jump'; there are rest, pose-0/,
    );
    await expect(perform('dog.glb', 'x.glb', { pairs: 'wrong.json' })).rejects.toThrow(InputError);
    await expect(
      perform('dog.glb', 'x.glb', { pairs: 'dog.json', handle: [{ vertex: 0, target: [0, 0, 0] }] }),
    ).rejects.toThrow(/has joints/);
  });
});
