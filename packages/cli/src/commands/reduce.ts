import { REDUCE_WEIGHTS_DEFAULTS } from '@pelt/skin';
import { type Command, Option } from 'commander';
import type { InputOptions } from '../input/load-sequence.ts';
import { REDUCE_METHODS, type ReduceMethod } from '../jobs/reduce/methods.ts';
import { TARGET_NAMES, type TargetName } from '../jobs/reduce/targets.ts';
import type { RigFigures } from '../jobs/reduce.ts';
import { formatBytes, formatCount, formatNumber, formatSeconds } from '../terminal/amounts.ts';
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
import { runCommand } from './run-command.ts';

export const REDUCE_EXAMPLES: readonly Example[] = [
  {
    does: 'Two weights a vertex, fitted to what the rig plays',
    run: 'pelt reduce character.glb --weights 2 -o light.glb',
  },
  {
    does: 'Fitted to the shapes that the rig was made from, and compressed',
    run: 'pelt reduce character.glb rest.obj clip.pc2 --compress meshopt -o small.glb',
  },
  { does: 'Fewer keys, a length as the limit', run: 'pelt reduce character.glb --max-error 5mm -o thin.glb' },
  { does: 'The best that fits into a size', run: 'pelt reduce character.glb --budget 12 -o tiny.glb' },
  { does: 'Virtual bones', run: 'pelt reduce character.glb --method two-layer --virtual 12 -o layers.glb' },
];

interface ReduceOptions extends CommonOptions, InputOptions {
  readonly output: string;
  readonly method: ReduceMethod;
  readonly weights?: number;
  readonly bones?: number;
  readonly virtual?: number;
  readonly keepBones?: boolean;
  readonly masters?: boolean;
  readonly loops: boolean;
  readonly maxError?: string;
  readonly budget?: number;
  readonly compress?: 'none' | 'meshopt';
  readonly target?: TargetName;
  readonly threads?: number;
}

export function defineReduce(command: Command, finish: (exitCode: number) => void): void {
  const { weights, method } = REDUCE_WEIGHTS_DEFAULTS;
  addInputOptions(command)
    .argument('<rig>', 'a skinned GLB or glTF')
    .argument('[examples...]', 'the shapes it shall keep, at the frames of its clip (default: what it plays)')
    .requiredOption('-o, --output <file>', 'the GLB to write')
    .addOption(new Option('--method <name>', 'how to reduce weights').choices(REDUCE_METHODS).default(method))
    .option('--weights <k>', `most weights a vertex (default: ${weights})`, wholeNumber(1))
    .option('--bones <n>', 'most bones', wholeNumber(1))
    .option(
      '--virtual <q>',
      'two-layer: virtual bones (default: so many that a vertex costs four blends)',
      wholeNumber(1),
    )
    .option('--masters', 'two-layer: keep the master bones in the file, and the layers as extras')
    .option('--keep-bones', 'leave bones and rest pose where they are')
    .option('--no-loops', 'store a motion that repeats as often as it is played')
    .option('--max-error <e>', 'fewer keys and bits up to this error: 5% (growth), 2.1 (E_RMS) or 3mm')
    .option('--budget <KB>', 'the least error within so many kilobytes: bones, weights, keys and bits', positiveNumber)
    .addOption(new Option('--compress <how>', 'pack the file').choices(['none', 'meshopt']))
    .addOption(new Option('--target <name>', 'limits of a platform').choices(TARGET_NAMES));
  addThreadsOption(command);
  addCommonOptions(command, REDUCE_EXAMPLES).action(async (rig: string, examples: string[], options: ReduceOptions) => {
    const { rest, fps, clip, output, virtual, bones, maxError, budget, compress, target, loops } = options;
    const request = {
      rig,
      examples,
      input: { rest, fps, clip },
      output,
      method: options.method,
      weights: options.weights,
      bones,
      virtual,
      keepBones: options.keepBones ?? false,
      masters: options.masters ?? false,
      loops,
      maxError,
      budget,
      compress,
      target,
      threads: threadsOf(options.threads),
    };
    const exitCode = await runCommand('reduce', request, options, (report) => {
      const { before, after, seconds, input, output: written } = report;
      const total = formatSeconds(seconds.read + seconds.reduce + seconds.write);
      const against = report.truth === 'examples' ? 'the examples' : 'what the rig played before';
      return [
        ...alignRows(comparison(before, after)),
        `errors are against ${against}`,
        `${input.name} (${formatBytes(before.bytes)}) → ${written.file} (${formatBytes(written.bytes)})  ` +
          `E_RMS ${formatNumber(after.error.eRms)}  ${after.bones} bones  ${total}`,
      ];
    });
    finish(exitCode);
  });
}

function comparison(before: RigFigures, after: RigFigures): [label: string, value: string][] {
  const row = (label: string, of: (figures: RigFigures) => string): [string, string] => [
    label,
    `${of(before)} → ${of(after)}`,
  ];
  return [
    row('E_RMS', ({ error }) => formatNumber(error.eRms)),
    row('largest', ({ error }) => formatNumber(error.max)),
    row('weights', ({ weightsPerVertex }) => `${weightsPerVertex} a vertex`),
    row('bones', ({ bones }) => formatCount(bones)),
    row('keys', ({ keys }) => formatCount(keys)),
    row('bytes', ({ bytes }) => formatBytes(bytes)),
    row('skinning', ({ skinMilliseconds }) => `${formatNumber(skinMilliseconds)} ms`),
  ];
}
