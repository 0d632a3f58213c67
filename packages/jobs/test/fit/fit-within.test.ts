import { UsageError } from '@pelt/model';
import { expect, it } from 'vitest';
import type { JobRequest } from '../../src/request/check-request.ts';
import { chainFiles } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await chainFiles());

const fit = async (output: string, options: NonNullable<JobRequest<'fit'>['options']>) =>
  (await space.run({ command: 'fit', inputs: ['rest.obj', 'clip.pc2'], output, options: { bones: 3, ...options } }))
    .report;

it('keeps to the budget, and is nearer with a larger one', async () => {
  const [small, large] = [await fit('small.glb', { budget: 5.1 }), await fit('large.glb', { budget: 9 })];
  for (const [file, report, budget] of [
    ['small.glb', small, 5.1],
    ['large.glb', large, 9],
  ] as const) {
    expect(space.read(file).length).toBeLessThanOrEqual(1000 * budget);
    expect(report.limits).toEqual([expect.objectContaining({ of: 'bytes', asked: `${budget} KB`, exceeded: false })]);
    // The error is that of the file as it is read back.
    const { report: again } = await space.run({ command: 'compare', inputs: ['rest.obj', 'clip.pc2', file] });
    expect(again.error.eRms).toBeCloseTo(report.error.eRms, 1);
  }
  expect(large.error.eRms).toBeLessThan(small.error.eRms);
});

it('writes the smallest file where the budget is too small, and says that it is', async () => {
  const report = await fit('tiny.glb', { budget: 0.5 });
  expect(report.limits?.[0]).toMatchObject({ exceeded: true });
});

it('refuses what the search chooses itself', async () => {
  await expect(fit('no.glb', { budget: 9, eigenskin: 2 })).rejects.toThrow(UsageError);
  await expect(fit('no.glb', { budget: 9, maxError: 2 })).rejects.toThrow('leave out --max-error');
});
