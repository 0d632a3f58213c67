import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGltf, readPairs, readRig } from '@pelt/io';
import { CancelledError, InputError, poseAt, UsageError } from '@pelt/model';
import { dogCharacter, realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import type { PuppetRequest } from '../../src/jobs/puppet.ts';
import { performHere } from '../perform-here.ts';
import { writePuppetFixtures } from '../puppet-fixtures.ts';
import { scratchFolder } from '../scratch-folder.ts';

const IN_PLACE = { delay: 0, travel: 0, turn: false } as const;

async function requestIn(change: Partial<PuppetRequest> = {}): Promise<PuppetRequest & { folder: string }> {
  const folder = scratchFolder();
  await writePuppetFixtures(folder);
  return {
    folder,
    character: join(folder, 'dog.glb'),
    motion: join(folder, 'me.bvh'),
    input: { fps: undefined, aspect: undefined, depth: undefined },
    output: join(folder, 'out.glb'),
    pairs: join(folder, 'dog.json'),
    options: IN_PLACE,
    keys: undefined,
    keepClips: false,
    ...change,
  };
}

const rigOf = async (path: string) => readRig(await readGltf(readFileSync(path), { name: path }));

describe('the puppet job', () => {
  it('bakes a performance that takes the registered poses', async () => {
    const request = await requestIn();
    const { report } = await performHere('puppet', request);
    expect(report.input).toMatchObject({ bones: 22, frames: 80 });
    expect(report.pairs).toHaveLength(7);
    expect(report.parts).toEqual(['whole']);
    expect(report.warnings).toEqual([]);
    expect(report.output.bytes).toBe(readFileSync(request.output).length);
    const { rig, clips } = await rigOf(request.output);
    expect(clips.map((clip) => clip.name)).toEqual(['me']);
    const { registration } = dogCharacter(0.08);
    // The paw is up in frames 40 to 49.
    const baked = poseAt(clips[0], 45, 22).transforms;
    const names = rig.bones.map((bone) => bone.name);
    registration.pairs[3].character.transforms.forEach((value, k) => {
      const bone = names.indexOf(dogNames[Math.floor(k / 12)]);
      expect(baked[12 * bone + (k % 12)]).toBeCloseTo(value, 2);
    });
  });

  const dogNames = dogCharacter(0.08).rig.bones.map((bone) => bone.name);

  it('keeps the clips it is told to, and fewer keys where it is told so', async () => {
    const request = await requestIn({
      keepClips: true,
      keys: 10,
      options: { parts: 'limbs', contacts: 'auto', loose: ['tail 1'] },
    });
    const { report } = await performHere('puppet', request);
    const { clips } = await rigOf(request.output);
    expect(clips.map((clip) => clip.name)).toEqual(['Wag', 'me']);
    expect(report.output.keys).toBe(27);
    expect(clips[1].times).toHaveLength(27);
    expect(report.parts).toHaveLength(5);
  });

  it('finds recordings beside the file of pairs and clips in the character', async () => {
    const request = await requestIn();
    const document = {
      format: 'pelt-pairs',
      version: 1,
      motions: { me: 'me.bvh' },
      pairs: [
        { name: 'stand', performer: { motion: 'me', time: 0.1 }, character: { bones: {} } },
        { name: 'wag', performer: { time: 1.8 }, character: { clip: 'Wag', time: 0.5 } },
      ],
    };
    writeFileSync(join(request.folder, 'two.json'), JSON.stringify(document));
    const { report } = await performHere('puppet', { ...request, pairs: join(request.folder, 'two.json') });
    expect(report.pairs).toEqual(['stand', 'wag']);
    // Between the clip's two keys: half the wag.
    const half = { ...document.pairs[1], character: { clip: 'Wag', time: 0.25 } };
    writeFileSync(join(request.folder, 'half.json'), JSON.stringify({ ...document, pairs: [document.pairs[0], half] }));
    await performHere('puppet', { ...request, pairs: join(request.folder, 'half.json') });
    const { rig, clips } = await rigOf(request.output);
    const tail = rig.bones.findIndex((bone) => bone.name === 'tail 0');
    const { transforms } = poseAt(clips[0], 54, rig.bones.length);
    expect(Math.atan2(transforms[12 * tail + 2], transforms[12 * tail])).toBeCloseTo((17.5 * Math.PI) / 180, 1);
    // Not from elsewhere.
    mkdirSync(join(request.folder, 'inner'));
    const outside = { ...document, motions: { me: '../me.bvh' } };
    writeFileSync(join(request.folder, 'inner', 'two.json'), JSON.stringify(outside));
    const refused = performHere('puppet', { ...request, pairs: join(request.folder, 'inner', 'two.json') });
    await expect(refused).rejects.toThrow("names '../me.bvh', which is not beside it");
  });

  it('suggests pairs to fill in, which it can read itself', async () => {
    const request = await requestIn({ pairs: 4 });
    const output = join(request.folder, 'pairs.json');
    const { report } = await performHere('puppet', { ...request, output });
    expect(report.times).toHaveLength(4);
    const document = readPairs(readFileSync(output));
    expect(document.neutral).toBe('neutral');
    expect(document.pairs.map((pair) => pair.performer)).toEqual(
      (report.times ?? []).map((time) => ({ time: Number(time.toFixed(4)) })),
    );
    await performHere('puppet', { ...request, pairs: output });
  });

  it('refuses what makes no sense', async () => {
    const request = await requestIn();
    const refuse = async (
      change: Partial<PuppetRequest>,
      kind: typeof InputError | typeof UsageError,
      message: string,
    ) => {
      const run = performHere('puppet', { ...request, ...change });
      await expect(run).rejects.toThrow(kind);
      await expect(performHere('puppet', { ...request, ...change })).rejects.toThrow(message);
    };
    await refuse(
      { output: join(request.folder, 'out.fbx') },
      UsageError,
      'is not a .glb; a performance is written as GLB',
    );
    await refuse({ pairs: 3 }, UsageError, 'is not a .json; suggested pairs are written as JSON');
    await refuse({ output: request.character }, UsageError, 'would replace an input');
    await refuse({ character: join(request.folder, 'none.glb') }, InputError, 'there is no such file');
    await refuse({ motion: request.pairs as string }, InputError, 'no list of frames');
    await refuse({ options: { loose: ['wing'] } }, UsageError, "no bone 'wing'");
    writeFileSync(join(request.folder, 'bad.json'), '{"format": "pelt-pairs", "version": 1, "pairs": [{}]}');
    await refuse({ pairs: join(request.folder, 'bad.json') }, InputError, 'pairs[0].name is absent, expected a name');
  });

  it('can be stopped', async () => {
    const request = await requestIn();
    const run = performHere('puppet', request, undefined, ({ stage }, cancel) => {
      if (stage === 'performing') cancel();
    });
    await expect(run).rejects.toThrow(CancelledError);
    expect(() => readFileSync(request.output)).toThrow();
  });

  const [fox, action] = [realData('gltf/Fox.glb'), realData('motion/kinect20-action.txt')];
  it.skipIf(!fox || !action)(
    'drives a fox with a Kinect, and tells what was lost (needs the measured data)',
    async () => {
      const request = await requestIn();
      const pairs = {
        format: 'pelt-pairs',
        version: 1,
        pairs: [
          { name: 'stand', performer: { time: 0 }, character: { clip: 'Survey', time: 0 } },
          { name: 'wave', performer: { time: 0.7 }, character: { clip: 'Run', time: 0.3 } },
        ],
      };
      writeFileSync(join(request.folder, 'fox.json'), JSON.stringify(pairs));
      const { report } = await performHere('puppet', {
        ...request,
        character: fox as string,
        motion: action as string,
        pairs: join(request.folder, 'fox.json'),
      });
      expect(report.gaps.interpolated).toBe(21);
      expect(report.warnings.join('\n')).toContain(
        'rightShoulder, leftHip, leftHand were lost at times; 21 places are interpolated',
      );
      const { clips, rig } = await rigOf(request.output);
      expect(rig.bones).toHaveLength(report.input.bones);
      expect(clips[0].times).toHaveLength(54);
    },
  );
});
