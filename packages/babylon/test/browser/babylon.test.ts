/** Babylon in a real browser against the evaluator, vertex by vertex, from what the GPU has skinned. */
import { fileURLToPath } from 'node:url';
import { readCharacter, readGltf, readSliders, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { boundsOf, type Character, poseAt } from '@pelt/model';
import { playerOf } from '@pelt/skin/play/runtime';
import { SliderBones, sliderTransforms } from '@pelt/skin/sliders/runtime';
import { creatureScene, elbowScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faceFiles } from '../../../jobs/test/face-files.ts';
import { Workspace } from '../../../jobs/test/workspace.ts';
import { envelopeModel, learntSkin, twoLayerModel } from '../../../three/examples/models.mjs';
import { openLab, type TestPage } from '../../../three/test/browser/page.ts';
import { inTwoObjects } from '../../../three/test/part-files.ts';
import type { Played } from './lab.ts';

/** Of the model's size. */
const SAME_PLACE = 1e-5;

const files = new Map<string, Uint8Array>();
let page: TestPage;

beforeAll(async () => {
  const numerics = await openNumerics({ threads: 1 });
  const creature = creatureScene({ frames: 6, detail: 0.1 });
  const elbow = elbowScene({ frames: 9, rings: 17, sides: 10 });
  files.set('plain.glb', (await writeSkinnedGlb({ rig: creature.rig, clips: [creature.clip] })).bytes);
  files.set('two-layer.glb', await twoLayerModel(creature, numerics, 40));
  for (const correction of [false, true]) {
    const learnt = learntSkin(elbow, numerics, [0, 4, 8], { proxies: 8, keys: 12, samples: 10, correction });
    files.set(`envelope${correction ? '-displaced' : ''}.glb`, await envelopeModel(learnt, elbow));
    if (!correction) files.set('envelope-parts.glb', await envelopeModel(learnt, elbow, inTwoObjects));
  }
  numerics.close();
  const faces = new Workspace(await faceFiles());
  const options = { bones: 8, weights: 4, compress: 'none' } as const;
  await faces.run({ command: 'sliders', inputs: ['face.glb'], output: 'out.glb', options });
  files.set('sliders.glb', faces.read('out.glb'));
  page = await openLab(files, fileURLToPath(new URL('lab.ts', import.meta.url)));
});
afterAll(() => page?.close());

const characterOf = async (name: string) => readCharacter(await readGltf(files.get(name) as Uint8Array));
const play = (name: string, seconds: number | null, values = {}) => page.call<Played>('play', name, seconds, values);

/** The largest distance of a vertex, by the model's size. */
function farthest({ mesh }: Character, found: readonly number[], expected: Float32Array): number {
  expect(found).toHaveLength(expected.length);
  const { min, max } = boundsOf(mesh.positions);
  const size = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  let most = 0;
  for (let k = 0; k < found.length; k += 3) {
    most = Math.max(most, Math.hypot(...[0, 1, 2].map((c) => found[k + c] - expected[k + c])));
  }
  return most / size;
}

describe('Babylon', () => {
  it.each([
    ['plain.glb', undefined],
    ['two-layer.glb', 'two-layer'],
    ['envelope.glb', 'envelope'],
    ['envelope-parts.glb', 'envelope'],
    ['envelope-displaced.glb', 'envelope'],
  ] as const)('plays %s as the evaluator does', async (name, kind) => {
    const character = await characterOf(name);
    const [clip] = character.clips;
    const player = playerOf(character);
    for (const t of [0, Math.floor(clip.times.length / 2), clip.times.length - 1]) {
      const played = await play(name, clip.times[t]);
      const { transforms } = poseAt(clip, t, character.joints.length);
      const expected = player.positions(transforms, undefined, new Float32Array(character.mesh.positions.length));
      expect(played.kind).toBe(kind);
      expect(farthest(character, played.positions, expected), `frame ${t}`).toBeLessThan(SAME_PLACE);
    }
    expect(page.errors).toEqual([]);
  });

  it('would not, if it took the file for an ordinary one', async () => {
    const character = await characterOf('envelope.glb');
    const [clip] = character.clips;
    const t = clip.times.length - 1;
    const { skin } = character;
    if (skin.kind !== 'envelope') throw new Error('the file has no learnt skin');
    const linear = playerOf({ ...character, skin: { kind: 'linear', weights: skin.weights } });
    const { transforms } = poseAt(clip, t, character.joints.length);
    const plain = linear.positions(transforms, undefined, new Float32Array(character.mesh.positions.length));
    const played = await play('envelope.glb', clip.times[t]);
    expect(farthest(character, played.positions, plain)).toBeGreaterThan(10 * SAME_PLACE);
  });

  it('moves a face by its sliders, by hand and by its clip', async () => {
    const character = await characterOf('sliders.glb');
    const found = readSliders(await readGltf(files.get('sliders.glb') as Uint8Array));
    if (!found) throw new Error('the file has no sliders');
    const { sliders, clips } = found;
    const m = character.joints.length;
    const S = sliders.names.length;
    const expected = (values: ArrayLike<number>) => {
      const local = new SliderBones(sliders, m).update(values);
      const transforms = sliderTransforms(local, character.joints, new Float64Array(12 * m));
      const morphs = character.morphs.map((_, k) => values[k]);
      return playerOf(character).positions(transforms, morphs, new Float32Array(character.mesh.positions.length));
    };
    const byHand = new Float32Array(S);
    byHand[0] = 0.7;
    byHand[S - 1] = 0.4;
    const set = { [sliders.names[0]]: 0.7, [sliders.names[S - 1]]: 0.4 };
    const posed = await play('sliders.glb', null, set);
    expect(posed).toMatchObject({ kind: 'sliders' });
    expect(farthest(character, posed.positions, expected(byHand))).toBeLessThan(SAME_PLACE);
    const [clip] = clips;
    for (const t of [0, 1, clip.times.length - 1]) {
      const played = await play('sliders.glb', clip.times[t]);
      const values = clip.values.slice(t * S, (t + 1) * S);
      played.sliders?.forEach((value, s) => {
        expect(value).toBeCloseTo(values[s], 5);
      });
      expect(farthest(character, played.positions, expected(values))).toBeLessThan(SAME_PLACE);
    }
    expect(page.errors).toEqual([]);
  });

  it('leaves files of others alone, and drops the curves of bones that it computes', async () => {
    const plain = await play('plain.glb', 0);
    expect(plain.kind).toBeUndefined();
    const layers = await play('two-layer.glb', 0);
    expect(layers.curves[0]).toBeLessThan(layers.bones);
  });
});
