import { DECOMPOSE_DEFAULTS } from '@pelt/skin';
import { type Command, Option } from 'commander';
import type { InputOptions } from '../input/load-sequence.ts';
import { FIT_METHODS, type FitMethod } from '../jobs/fit-methods.ts';
import { formatBytes, formatNumber, formatSeconds } from '../terminal/amounts.ts';
import { alignRows } from '../terminal/table.ts';
import {
  addCommonOptions,
  addInputOptions,
  addThreadsOption,
  type CommonOptions,
  type Example,
  positiveNumber,
  threadsOf,
  wholeNumber,
} from './common-options.ts';
import { errorRows } from './error-rows.ts';
import { runCommand } from './run-command.ts';

export const FIT_EXAMPLES: readonly Example[] = [
  { does: 'A mesh and its cache as a skinned GLB', run: 'pelt fit rest.obj clip.pc2 --bones 12 -o fitted.glb' },
  { does: 'As few bones as an error allows', run: 'pelt fit frames --max-error 6 -o small.glb' },
  {
    does: 'Poses against a rest pose, with a report',
    run: 'pelt fit --rest rest.obj frames --report fit.json -o posed.glb',
  },
];

interface FitOptions extends CommonOptions, InputOptions {
  readonly output: string;
  readonly method: FitMethod;
  readonly bones?: number;
  readonly maxError?: number;
  readonly weights?: number;
  readonly seed: number;
  readonly threads?: number;
}

export function defineFit(command: Command, finish: (exitCode: number) => void): void {
  const { bones, weights } = DECOMPOSE_DEFAULTS;
  addInputOptions(command)
    .argument('<input...>', 'a mesh and its cache, frames, a folder of frames, or one animated file')
    .requiredOption('-o, --output <file>', 'the skinned GLB to write')
    .addOption(new Option('--method <name>', 'how to fit').choices(FIT_METHODS).default(FIT_METHODS[0]))
    .option('--bones <n>', `number of bones (default: ${bones}); the most to try with --max-error`, wholeNumber(1))
    .option('--max-error <e>', 'use as few bones as reach this E_RMS', positiveNumber)
    .option('--weights <k>', `most weights a vertex, up to 8 (default: ${weights})`, wholeNumber(1))
    .option('--seed <n>', 'seed of all that is random', wholeNumber(0), 1);
  addThreadsOption(command);
  addCommonOptions(command, FIT_EXAMPLES).action(async (files: string[], options: FitOptions) => {
    const { rest, fps, clip, output, method, bones, maxError, weights, seed } = options;
    const threads = threadsOf(options.threads);
    const request = { files, input: { rest, fps, clip }, output, method, bones, maxError, weights, seed, threads };
    const exitCode = await runCommand('fit', request, options, (report) => {
      const { input, output: written, error, seconds } = report;
      const total = formatSeconds(seconds.read + seconds.fit + seconds.write);
      return [
        ...alignRows(errorRows(error)),
        `${input.name} (${formatBytes(input.bytes)}) → ${written.file} (${formatBytes(written.bytes)})  ` +
          `E_RMS ${formatNumber(error.eRms)}  ${report.bones} bones  ${total}`,
      ];
    });
    finish(exitCode);
  });
}
