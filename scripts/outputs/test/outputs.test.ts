import { expect, it } from 'vitest';
import { buildPelt } from '../../../packages/cli/test/built-pelt.ts';
import { COMMANDS } from '../commands.mjs';
import { hashOutputs, steadyReport } from '../hash-outputs.mjs';

it('leaves out of a report what a run takes, and nothing else', () => {
  const report = { bones: 3, seconds: { fit: 1.5 }, peakMegabytes: 90, threads: 2, error: { eRms: 2.25 } };
  expect(JSON.parse(steadyReport(JSON.stringify(report)))).toEqual({ bones: 3, error: { eRms: 2.25 } });
});

it('writes the same bytes with one and with two threads', async () => {
  buildPelt();
  const quick = COMMANDS.filter((command) => command.quick);
  const [one, two] = [await hashOutputs(quick, { threads: 1 }), await hashOutputs(quick, { threads: 2 })];
  expect(Object.keys(one).filter((name) => name.includes(' > '))).toHaveLength(2 * quick.length);
  expect(two).toEqual(one);
});

it('has every command that computes', async () => {
  const names = new Set(COMMANDS.map(({ args }) => args.split(' ')[0]));
  const { COMMANDS: all } = await import('@pelt/jobs/commands');
  expect([...names].sort()).toEqual(Object.keys(all).sort());
});
