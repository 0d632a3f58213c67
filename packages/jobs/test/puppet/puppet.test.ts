import { readFileSync } from 'node:fs';
import { glbToFbx, readGltf, readPairs, readRig, writeSkinnedGlb } from '@pelt/io';
import { CancelledError, InputError, poseAt, UsageError } from '@pelt/model';
import { dogCharacter, PERFORMER_BONES, realData, stickRig } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import type { JobRequest } from '../../src/request/check-request.ts';
import { dogFiles, performance } from '../dog-files.ts';
import { edited } from '../matrix/characters.ts';
import { Workspace } from '../workspace.ts';

type PuppetOptions = Partial<NonNullable<JobRequest<'puppet'>['options']>>;

const space = new Workspace(await dogFiles());
const rigOf = async (path: string) => readRig(await readGltf(space.read(path), { name: path }));

/** The performance in place, unless told otherwise. */
const IN_PLACE = { motion: 'me.bvh', pairs: 'dog.json', delay: 0, travel: 0, turn: false } as const;
const perform = (options: PuppetOptions = {}, output = 'out.glb', character = 'dog.glb') =>
  space.run({ command: 'puppet', inputs: [character], output, options: { ...IN_PLACE, ...options } });

/** Human bones of VRM at the joints of the performer. */
const VRM_NAMES: Readonly<Record<string, string>> = {
  Shoulder: 'UpperArm',
  Elbow: 'LowerArm',
  Wrist: 'Hand',
  Hip: 'UpperLeg',
  Knee: 'LowerLeg',
  Ankle: 'Foot',
  Toes: 'Toes',
};

describe('puppet', () => {
  it('bakes a performance that takes the registered poses', async () => {
    const { report } = await perform();
    expect(report.input).toMatchObject({ bones: 22, frames: 80 });
    expect(report.pairs).toHaveLength(7);
    expect(report.parts).toEqual(['whole']);
    expect(report.warnings).toEqual([]);
    expect(report.output.bytes).toBe(space.read('out.glb').length);
    const { rig, clips } = await rigOf('out.glb');
    expect(clips.map((clip) => clip.name)).toEqual(['performance', 'Wag']);
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

  it('drops the clips it is told to, and fewer keys where it is told so', async () => {
    const { report } = await perform({
      keepClips: false,
      name: 'rehearsal',
      keys: 10,
      parts: 'limbs',
      contacts: 'auto',
      loose: ['tail 1'],
    });
    const { clips } = await rigOf('out.glb');
    expect(clips.map((clip) => clip.name)).toEqual(['rehearsal']);
    expect(report.output.keys).toBe(27);
    expect(clips[0].times).toHaveLength(27);
    expect(report.parts).toHaveLength(5);
  });

  it('finds recordings beside the file of pairs and clips in the character', async () => {
    const document = {
      format: 'pelt-pairs',
      version: 1,
      motions: { me: 'me.bvh' },
      pairs: [
        { name: 'stand', performer: { motion: 'me', time: 0.1 }, character: { bones: {} } },
        { name: 'wag', performer: { time: 1.8 }, character: { clip: 'Wag', time: 0.5 } },
      ],
    };
    space.put('two.json', JSON.stringify(document));
    const { report } = await perform({ pairs: 'two.json' });
    expect(report.pairs).toEqual(['stand', 'wag']);
    // Between the clip's two keys: half the wag.
    const half = { ...document.pairs[1], character: { clip: 'Wag', time: 0.25 } };
    space.put('half.json', JSON.stringify({ ...document, pairs: [document.pairs[0], half] }));
    await perform({ pairs: 'half.json' });
    const { rig, clips } = await rigOf('out.glb');
    const tail = rig.bones.findIndex((bone) => bone.name === 'tail 0');
    const { transforms } = poseAt(clips[0], 54, rig.bones.length);
    expect(Math.atan2(transforms[12 * tail + 2], transforms[12 * tail])).toBeCloseTo((17.5 * Math.PI) / 180, 1);
    // Not from elsewhere.
    const outside = { ...document, motions: { me: '../me.bvh' } };
    space.put('inner/two.json', JSON.stringify(outside));
    await expect(perform({ pairs: 'inner/two.json' })).rejects.toThrow("names '../me.bvh', which is not beside it");
  });

  it('takes the motion of a rigged file, with or without its mesh, and as FBX', async () => {
    await perform({}, 'captured.glb');
    const wanted = (await rigOf('captured.glb')).clips[0].transforms;
    const person = stickRig('person', PERFORMER_BONES);
    const { bytes } = await writeSkinnedGlb({ rig: person, clips: [performance()] });
    space.put('me.glb', bytes);
    const bare = edited(bytes, (json) => {
      const [{ joints }] = json.skins;
      json.nodes.forEach((node: { mesh?: number; skin?: number; name: string }, k: number) => {
        delete node.mesh;
        delete node.skin;
        // Its human bones say which is which, whatever they are called.
        if (joints.includes(k)) node.name = `n${k}`;
      });
      const named = Object.fromEntries(
        PERFORMER_BONES.map(({ name }, j) => {
          const vrm = VRM_NAMES[name.replace(/^(left|right)/, '')];
          const side = /^(left|right)/.exec(name)?.[0] ?? '';
          return [vrm ? side + vrm : name, { node: joints[j] }];
        }),
      );
      for (const key of ['meshes', 'skins', 'materials']) delete json[key];
      json.extensionsUsed = ['VRMC_vrm_animation'];
      json.extensions = { VRMC_vrm_animation: { specVersion: '1.0', humanoid: { humanBones: named } } };
    });
    space.put('me.vrma', bare);
    space.put('me.fbx', await glbToFbx(bytes));
    for (const motion of ['me.glb', 'me.vrma', 'me.fbx']) {
      await perform({ motion });
      const found = (await rigOf('out.glb')).clips[0].transforms;
      const apart = found.reduce((most, value, k) => Math.max(most, Math.abs(value - wanted[k])), 0);
      expect(apart, motion).toBeLessThan(0.02);
    }
    space.put(
      'cache.bvh',
      Uint8Array.from('POINTCACHE2\0\0\0', (letter) => letter.charCodeAt(0)),
    );
    await expect(perform({ motion: 'cache.bvh' })).rejects.toThrow(
      'it is a PC2 cache of points, without joints; a motion is',
    );
    space.put('noise.csv', Uint8Array.of(1, 0, 2, 0, 250));
    await expect(perform({ motion: 'noise.csv' })).rejects.toThrow(
      'it is a binary file of no known kind; a motion is BVH',
    );
  });

  it('suggests pairs to fill in, which it can read itself', async () => {
    const { report } = await perform({ pairs: undefined, suggest: 4 }, 'pairs.json');
    expect(report.times).toHaveLength(4);
    const document = readPairs(space.read('pairs.json'));
    expect(document.neutral).toBe('neutral');
    expect(document.pairs.map((pair) => pair.performer)).toEqual(
      (report.times ?? []).map((time) => ({ time: Number(time.toFixed(4)) })),
    );
    await expect(perform({ pairs: 'pairs.json' })).rejects.toThrow(
      "'pairs.json': all 4 poses of the character are its rest pose; fill in",
    );
  });

  it('retargets to a humanoid without pairs, and says what it recognised', async () => {
    const { report } = await perform({ pairs: undefined, travel: 1, turn: true }, 'out.glb', 'person.glb');
    expect(report.pairs).toEqual([]);
    expect(report.humanoid?.by).toBe('names');
    expect(report.humanoid?.bones.leftKnee).toBe('leftKnee');
    expect(report.feet).toEqual(['leftAnkle', 'rightAnkle']);
    const { clips, rig } = await rigOf('out.glb');
    expect(clips[0].times).toHaveLength(80);
    // The left arm is up in frames 40 to 49.
    const up = poseAt(clips[0], 45, rig.bones.length).transforms;
    const arm = rig.bones.findIndex((bone) => bone.name === 'leftShoulder');
    expect(up[12 * arm + 5]).toBeLessThan(-0.8);
  });

  it('says where contacts find no feet', async () => {
    const { report } = await perform({ contacts: ['tail 0'] });
    expect(report.feet).toEqual([]);
    expect(report.warnings.join()).toContain('no foot at the end of two bones stands on the ground');
  });

  it('refuses what makes no sense', async () => {
    space.put('bad.json', '{"format": "pelt-pairs", "version": 1, "pairs": [{}]}');
    const suggest = { pairs: undefined, suggest: 3 };
    for (const [run, kind, message] of [
      [() => perform({}, 'out.fbx'), UsageError, "'out.fbx' is not a .glb file, which a performance is written as"],
      [() => perform(suggest, 'out.glb'), UsageError, 'is not a .json file, which suggested pairs'],
      [() => perform({ suggest: 3 }), UsageError, 'give one of them'],
      [() => perform({ pairs: undefined }), InputError, 'is not recognised as a humanoid'],
      [() => perform({}, 'dog.glb'), UsageError, 'would replace an input'],
      [() => perform({}, 'out.glb', 'none.glb'), InputError, 'there is no such file'],
      [() => perform({}, 'out.glb', 'me.bvh'), Error, 'me.bvh'],
      [() => perform({ motion: 'dog.json' }), InputError, 'no list of frames'],
      [() => perform({ loose: ['wing'] }), UsageError, "no bone 'wing'"],
      [() => perform({ pairs: 'bad.json' }), InputError, 'pairs[0].name is absent, expected a name'],
    ] as const) {
      await expect(run()).rejects.toThrow(kind);
      await expect(run()).rejects.toThrow(message);
    }
  });

  it('can be stopped', async () => {
    const request = { command: 'puppet', inputs: ['dog.glb'], output: 'z.glb', options: IN_PLACE } as const;
    await expect(space.cancelAt(request, /^retargeting$/)).rejects.toThrow(CancelledError);
  });

  const [fox, action] = [realData('gltf/Fox.glb'), realData('motion/kinect20-action.txt')];
  it.skipIf(!fox || !action)(
    'drives a fox with a Kinect, and tells what was lost (needs the measured data)',
    async () => {
      const pairs = {
        format: 'pelt-pairs',
        version: 1,
        pairs: [
          { name: 'stand', performer: { time: 0 }, character: { clip: 'Survey', time: 0 } },
          { name: 'wave', performer: { time: 0.7 }, character: { clip: 'Run', time: 0.3 } },
        ],
      };
      space.put('fox.json', JSON.stringify(pairs));
      space.put('fox.glb', Uint8Array.from(readFileSync(fox as string)));
      space.put('action.txt', Uint8Array.from(readFileSync(action as string)));
      const { report } = await perform({ motion: 'action.txt', pairs: 'fox.json' }, 'out.glb', 'fox.glb');
      expect(report.gaps.interpolated).toBe(21);
      expect(report.warnings.join('\n')).toContain(
        'rightShoulder, leftHip, leftHand were lost at times; 21 places are interpolated',
      );
      const { clips, rig } = await rigOf('out.glb');
      expect(rig.bones).toHaveLength(report.input.bones);
      expect(clips[0].times).toHaveLength(54);
    },
  );
});
