import { readGltf } from '@pelt/io';
import { describe, expect, it } from 'vitest';
import { characterOf } from '../../src/input/asset-motion.ts';
import { dogFiles } from '../dog-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await dogFiles());
const characterAt = async (path: string) => characterOf(await readGltf(space.read(path), { name: path }), path);
const perform = (input: string, output: string, options: object) =>
  space.run({ command: 'puppet', inputs: [input], output, options: { motion: 'me.bvh', delay: 0, ...options } });

describe('puppet --save-pairs', () => {
  it('makes a puppet of one file, which performs as with its pairs', async () => {
    const settings = { parts: 'limbs', projection: 'positive', contacts: 'none' } as const;
    await perform('dog.glb', 'puppet.glb', { pairs: 'dog.json', savePairs: true, ...settings });
    const saved = await characterAt('puppet.glb');
    expect(saved.puppet?.settings).toEqual(settings);
    expect(saved.puppet?.pairs.pairs).toHaveLength(7);
    const { report } = await perform('puppet.glb', 'again.glb', { name: 'again' });
    expect(report.pairs).toHaveLength(7);
    const again = await characterAt('again.glb');
    expect(again.clips.map(({ name }) => name)).toEqual(['again', 'performance', 'Wag']);
    again.clips[0].transforms.forEach((value, k) => {
      expect(Math.abs(value - saved.clips[0].transforms[k])).toBeLessThan(2e-4);
    });
    // It stays a puppet, whatever is done to it.
    expect(again.puppet).toEqual(saved.puppet);
    await space.run({
      command: 'convert',
      inputs: ['again.glb'],
      output: 'packed.glb',
      options: { compress: 'meshopt' },
    });
    expect((await characterAt('packed.glb')).puppet).toEqual(saved.puppet);
  });

  it('lets options of the command prevail, and other pairs', async () => {
    await perform('dog.glb', 'puppet.glb', { pairs: 'dog.json', savePairs: true, parts: 'limbs' });
    const whole = await perform('puppet.glb', 'whole.glb', { parts: 'whole' });
    expect(whole.report.parts).toEqual(['whole']);
    const other = await perform('puppet.glb', 'other.glb', { pairs: 'dog.json' });
    expect(other.report.parts).toEqual(['whole']);
  });

  it('refuses to save what is not there, and pairs of other joints', async () => {
    await expect(perform('dog.glb', 'x.glb', { savePairs: true })).rejects.toThrow(/no pairs to save/);
  });
});
