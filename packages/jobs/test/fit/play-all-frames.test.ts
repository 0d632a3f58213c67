import { CancelledError, UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import type { JobRequest } from '../../src/request/check-request.ts';
import { chainFiles } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

type FitOptions = NonNullable<JobRequest<'fit'>['options']>;

const space = new Workspace(await chainFiles());
const fit = async (inputs: readonly string[], output: string, options: FitOptions = {}) =>
  (await space.run({ command: 'fit', inputs, output, options: { bones: 3, ...options } })).report;
const compare = async (...inputs: string[]) => (await space.run({ command: 'compare', inputs })).report;

describe('a fit to a sample', () => {
  it('is the fit to all frames where the sample is all of them', async () => {
    await fit(['rest.obj', 'clip.pc2'], 'all.glb');
    const report = await fit(['rest.obj', 'clip.pc2'], 'sample.glb', { sample: 12 });
    expect(report.sampled).toBeUndefined();
    expect(space.read('sample.glb')).toEqual(space.read('all.glb'));
  });

  it.each([
    ['a cache', ['rest.obj', 'clip.pc2'], 'ssdr'],
    ['a cache, with affine bones', ['rest.obj', 'clip.mdd'], 'affine'],
    ['files', ['frames'], 'ssdr'],
    ['an archive', ['clip.abc'], 'sma'],
    ['morph targets', ['morph.glb'], 'ssdr'],
  ] as const)('plays all frames of %s, at their times, as well as a fit to all', async (_, inputs, method) => {
    const all = await fit(inputs, 'all.glb', { method });
    const report = await fit(inputs, 'sample.glb', { method, sample: 7 });
    expect(report.sampled?.frames).toBe(7);
    expect(report.input.frames).toBe(12);
    // The 12 frames of a chain of three links: what 7 of them say of the weights holds for the others.
    expect(report.error.eRms).toBeLessThan(Math.max(3, 2 * all.error.eRms));
    const { error, frames } = await compare(...inputs, 'sample.glb');
    expect(frames).toBe(12);
    expect(error.eRms).toBeCloseTo(report.error.eRms, 2);
  });

  it('keeps clips apart', async () => {
    const clip = [
      { name: 'swing', files: ['clip.pc2'] },
      { name: 'back', files: ['clip.mdd'] },
    ];
    const report = await fit(['rest.obj'], 'clips.glb', { clip, sample: 5 });
    expect(report.clips).toEqual(['swing', 'back']);
    const { files } = (await space.run({ command: 'info', inputs: ['clips.glb'] })).report;
    expect(files[0].clips?.map(({ frames }) => frames)).toEqual([12, 12]);
  });

  it('refuses what needs every frame, and can be cancelled', async () => {
    await expect(fit(['frames'], 'z.glb', { sample: 5, eigenskin: 2 })).rejects.toThrow(UsageError);
    await expect(fit(['frames'], 'z.glb', { sample: 5, root: 'full' })).rejects.toThrow('leave out --sample');
    const options = { bones: 3, sample: 5 };
    const request = { command: 'fit', inputs: ['frames'], output: 'z.glb', options } as const;
    await expect(space.cancelAt(request, /^fitting the other/)).rejects.toThrow(CancelledError);
  });
});

describe('a skeleton of a sample', () => {
  it('has the frames of the sample, and says so', async () => {
    const options = { bones: 3, sample: 6 };
    const { report } = await space.run({
      command: 'skeleton',
      inputs: ['rest.obj', 'clip.pc2'],
      output: 's.glb',
      options,
    });
    expect(report.input).toMatchObject({ frames: 6 });
    expect(report.warnings).toEqual(['the animation has the 6 frames of the sample alone']);
  });
});
