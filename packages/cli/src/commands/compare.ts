import type { Command } from 'commander';
import type { InputOptions } from '../input/load-sequence.ts';
import type { CompareReport } from '../jobs/compare.ts';
import { formatCount, formatNumber } from '../terminal/amounts.ts';
import { alignRows } from '../terminal/table.ts';
import { addCommonOptions, addInputOptions, type CommonOptions, type Example } from './common-options.ts';
import { errorRows } from './error-rows.ts';
import { runCommand } from './run-command.ts';

export const COMPARE_EXAMPLES: readonly Example[] = [
  { does: 'How well a fitted character plays its original', run: 'pelt compare rest.obj clip.pc2 fitted.glb' },
  {
    does: 'A baked skin, beside what single bones of the skeleton it was learnt from would miss',
    run: 'pelt compare frames character.glb --skeleton character.glb',
  },
  { does: 'Two folders of frames', run: 'pelt compare frames baked --json' },
];

interface CompareOptions extends CommonOptions, InputOptions {
  readonly skeleton?: string;
}

export function defineCompare(command: Command, finish: (exitCode: number) => void): void {
  addInputOptions(command)
    .argument('<animation...>', 'the true animation, then the other; a cache follows its mesh')
    .option('--skeleton <rig>', 'the rig whose single bones the enveloping error is measured against');
  addCommonOptions(command, COMPARE_EXAMPLES).action(async (files: string[], options: CompareOptions) => {
    const { rest, fps, clip, skeleton } = options;
    const exitCode = await runCommand('compare', { files, input: { rest, fps, clip }, skeleton }, options, (report) => {
      const { a, b, vertices, frames, error, enveloping, learnt } = report;
      const rows = errorRows(error);
      if (enveloping) rows.push(['enveloping', spreadOf(enveloping)]);
      if (learnt) {
        rows.push(['learnt skin', `E_RMS ${formatNumber(learnt.error.eRms)}`]);
        rows.push(['enveloping', `${spreadOf(learnt.enveloping)}, as learnt skin`]);
      }
      return [
        ...alignRows(rows),
        `${a.name} against ${b.name}  ${formatCount(vertices)} vertices  ${frames} ${frames === 1 ? 'frame' : 'frames'}  E_RMS ${formatNumber(error.eRms)}`,
      ];
    });
    finish(exitCode);
  });
}

function spreadOf({ error, median, p95, max }: NonNullable<CompareReport['enveloping']>): string {
  const [all, half, most, worst] = [error, median, p95, max].map(formatNumber);
  return `${all} of what single bones miss (median ${half}, 95 in 100 below ${most}, at most ${worst})`;
}
