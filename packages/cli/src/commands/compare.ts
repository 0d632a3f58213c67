import type { Command } from 'commander';
import type { InputOptions } from '../input/load-sequence.ts';
import { formatCount, formatNumber } from '../terminal/amounts.ts';
import { alignRows } from '../terminal/table.ts';
import { addCommonOptions, addInputOptions, type CommonOptions, type Example } from './common-options.ts';
import { errorRows } from './error-rows.ts';
import { runCommand } from './run-command.ts';

export const COMPARE_EXAMPLES: readonly Example[] = [
  { does: 'How well a fitted character plays its original', run: 'pelt compare rest.obj clip.pc2 fitted.glb' },
  { does: 'Two folders of frames', run: 'pelt compare frames baked --json' },
];

export function defineCompare(command: Command, finish: (exitCode: number) => void): void {
  addInputOptions(command).argument('<animation...>', 'the true animation, then the other; a cache follows its mesh');
  addCommonOptions(command, COMPARE_EXAMPLES).action(async (files: string[], options: CommonOptions & InputOptions) => {
    const { rest, fps, clip } = options;
    const exitCode = await runCommand('compare', { files, input: { rest, fps, clip } }, options, (report) => {
      const { a, b, vertices, frames, error, enveloping } = report;
      const rows = errorRows(error);
      if (enveloping) {
        const [all, median, most] = [enveloping.error, enveloping.median, enveloping.max].map(formatNumber);
        rows.push(['enveloping', `${all} of what single bones miss (median ${median}, at most ${most})`]);
      }
      return [
        ...alignRows(rows),
        `${a.name} against ${b.name}  ${formatCount(vertices)} vertices  ${frames} ${frames === 1 ? 'frame' : 'frames'}  E_RMS ${formatNumber(error.eRms)}`,
      ];
    });
    finish(exitCode);
  });
}
