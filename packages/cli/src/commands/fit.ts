import { UsageError } from '@pelt/model';
import { DECOMPOSE_DEFAULTS, type RootMotion } from '@pelt/skin';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { InputOptions } from '../input/load-sequence.ts';
import {
  type ErrorLimit,
  FIT_METHODS,
  type FitMethod,
  LENGTH_UNITS,
  LOCKABLE,
  type Lockable,
  ROOT_MOTIONS,
} from '../jobs/fit-methods.ts';
import { formatBytes, formatNumber, formatSeconds } from '../terminal/amounts.ts';
import { alignRows } from '../terminal/table.ts';
import { addClip, type ClipChoice } from './clip-choice.ts';
import {
  addCommonOptions,
  addFileOptions,
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
  { does: 'Let the motion say how many bones', run: 'pelt fit rest.obj clip.pc2 --bones auto -o auto.glb' },
  {
    does: 'Two clips of one mesh, one rig',
    run: 'pelt fit rest.obj --clip swing=clip.pc2 --clip back=clip.mdd -o clips.glb',
  },
  { does: 'Bones that may stretch and shear', run: 'pelt fit rest.obj clip.pc2 --method affine -o affine.glb' },
];

interface FitOptions extends CommonOptions, Omit<InputOptions, 'clip'> {
  readonly output: string;
  readonly method: FitMethod;
  readonly bones?: number | 'auto';
  readonly maxError?: ErrorLimit;
  readonly weights?: number;
  readonly smooth?: number;
  readonly keepRest?: boolean;
  readonly lock?: Lockable;
  readonly rig?: string;
  readonly eigenskin?: number;
  readonly root?: RootMotion;
  readonly clip?: ClipChoice;
  readonly seed: number;
  readonly threads?: number;
}

export function defineFit(command: Command, finish: (exitCode: number) => void): void {
  const { bones, weights } = DECOMPOSE_DEFAULTS;
  addFileOptions(command)
    .argument('<input...>', 'a mesh and its cache, frames, a folder of frames, or one animated file')
    .requiredOption('-o, --output <file>', 'the skinned GLB to write')
    .addOption(new Option('--method <name>', 'how to fit').choices(FIT_METHODS).default(FIT_METHODS[0]))
    .option('--bones <n>', `number of bones, or auto (default: ${bones}); the most to try with --max-error`, boneCount)
    .option('--max-error <e>', 'use as few bones as reach this E_RMS, or this length with a unit: 2mm', errorLimit)
    .option('--weights <k>', `most weights a vertex; engines read 4 or 8 (default: ${weights})`, wholeNumber(1))
    .option('--smooth <s>', 'trade error for smooth weights; 0.1 is a little, 3 is much (default: 0)', positiveNumber)
    .option('--keep-rest', 'keep the rest pose as it is, at some cost in error')
    .addOption(new Option('--lock <part>', 'keep the bones or the weights of --rig').choices(LOCKABLE))
    .option('--rig <file>', 'the rigged glTF that --lock keeps a part of')
    .option('--eigenskin <r>', 'add r displacements that follow the animation, as morph targets', wholeNumber(1))
    .addOption(new Option('--root <motion>', 'root motion as a bone of its own').choices(ROOT_MOTIONS))
    .option(
      '--clip <name>',
      'an animation of a glTF; or name=files, one of several clips of the mesh: repeat it',
      addClip,
    )
    .option('--seed <n>', 'seed of all that is random', wholeNumber(0), 1);
  addThreadsOption(command);
  addCommonOptions(command, FIT_EXAMPLES).action(async (files: string[], options: FitOptions) => {
    const { rest, fps, clip, output, method, bones, maxError, weights, smooth, keepRest = false, seed } = options;
    const request = {
      files,
      input: { rest, fps, clip: clip?.animation },
      output,
      method,
      bones,
      maxError,
      weights,
      smooth,
      keepRest,
      lock: lockOf(options),
      eigenskin: options.eigenskin,
      rootMotion: options.root,
      clips: clip?.clips,
      seed,
      threads: threadsOf(options.threads),
    };
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

function boneCount(text: string): number | 'auto' {
  return text === 'auto' ? text : wholeNumber(1)(text);
}

function errorLimit(text: string): ErrorLimit {
  const [, value, unit] = /^([\d.eE+-]+)\s*([a-z]*)$/.exec(text) ?? [];
  if (value === undefined) throw new InvalidArgumentError('It must be a number, or a length such as 2mm.');
  if (unit === '') return { value: positiveNumber(value) };
  if (!Object.hasOwn(LENGTH_UNITS, unit)) {
    throw new InvalidArgumentError(`'${unit}' is no unit; it takes ${Object.keys(LENGTH_UNITS).join(', ')}.`);
  }
  return { value: positiveNumber(value), unit: LENGTH_UNITS[unit] };
}

function lockOf({ lock, rig }: FitOptions): { part: Lockable; rig: string } | undefined {
  if (lock === undefined && rig === undefined) return undefined;
  if (lock === undefined || rig === undefined) {
    throw new UsageError('--lock says what to keep and --rig of which file; give both');
  }
  return { part: lock, rig };
}
