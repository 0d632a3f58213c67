import { SKELETON_DEFAULTS, SKELETON_METHODS, type SkeletonMethod, type SkeletonOptions } from '@pelt/skin';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { InputOptions } from '../input/load-sequence.ts';
import { formatBytes, formatNumber, formatSeconds } from '../terminal/amounts.ts';
import { alignRows } from '../terminal/table.ts';
import { addClip, type ClipChoice } from './clip-choice.ts';
import {
  addCommonOptions,
  addFileOptions,
  addThreadsOption,
  type CommonOptions,
  type Example,
  threadsOf,
  wholeNumber,
} from './common-options.ts';
import { errorRows } from './error-rows.ts';
import { runCommand } from './run-command.ts';

export const SKELETON_EXAMPLES: readonly Example[] = [
  { does: 'A mesh and its cache as a jointed character', run: 'pelt skeleton rest.obj clip.pc2 -o jointed.glb' },
  { does: 'At most three bones, two weights a vertex', run: 'pelt skeleton frames --bones 3 --weights 2 -o small.glb' },
  { does: 'The motion alone, for an animation program', run: 'pelt skeleton rest.obj clip.pc2 -o motion.bvh' },
  {
    does: 'Left and right bones in pairs, the tree hung from a point',
    run: 'pelt skeleton rest.obj clip.pc2 --symmetry --root 0.6,0,0 -o paired.glb',
  },
  {
    does: 'Your own skeleton: its joints and names stay',
    run: 'pelt skeleton frames --skeleton character.glb -o mine.glb --report mine.json',
  },
];

interface SkeletonCommandOptions extends CommonOptions, Omit<InputOptions, 'clip'> {
  readonly output: string;
  readonly method: SkeletonMethod;
  readonly bones?: number;
  readonly clusters?: number;
  readonly weights?: number;
  readonly keepRest?: boolean;
  readonly root?: SkeletonOptions['root'];
  readonly symmetry?: boolean;
  readonly skeleton?: string;
  readonly clip?: ClipChoice;
  readonly seed: number;
  readonly threads?: number;
}

export function defineSkeleton(command: Command, finish: (exitCode: number) => void): void {
  const { weights } = SKELETON_DEFAULTS;
  addFileOptions(command)
    .argument('<input...>', 'a mesh and its cache, frames, a folder of frames, or one animated file')
    .requiredOption('-o, --output <file>', 'the GLB to write, or a BVH with the motion alone')
    .addOption(
      new Option('--method <name>', 'how to find the skeleton').choices(SKELETON_METHODS).default(SKELETON_METHODS[0]),
    )
    .option('--bones <n>', 'most bones (default: as many as are worth it)', wholeNumber(1))
    .option('--clusters <n>', 'rigid clusters to begin with (default: after the number of bones)', wholeNumber(1))
    .option('--weights <k>', `most weights a vertex; engines read 4 or 8 (default: ${weights})`, wholeNumber(1))
    .option('--keep-rest', 'keep the rest pose as it is, at some cost in error')
    .option('--root <place>', 'the bone at this vertex (17) or point (0,1.2,0) is the root (default: middle)', rootOf)
    .option('--symmetry', 'name bones in mirrored pairs, and mirror their joints where the motion allows')
    .option('--skeleton <file>', 'fit the skeleton of this rigged glTF: its joints and names stay')
    .option(
      '--clip <name>',
      'an animation of a glTF; or name=files, one of several clips of the mesh: repeat it',
      addClip,
    )
    .option('--seed <n>', 'seed of all that is random', wholeNumber(0), 1);
  addThreadsOption(command);
  addCommonOptions(command, SKELETON_EXAMPLES).action(async (files: string[], options: SkeletonCommandOptions) => {
    const { rest, fps, clip, output, method, bones, clusters, keepRest = false, root, symmetry = false } = options;
    const request = {
      files,
      input: { rest, fps, clip: clip?.animation },
      output,
      method,
      bones,
      clusters,
      weights: options.weights,
      keepRest,
      root,
      symmetry,
      skeleton: options.skeleton,
      clips: clip?.clips,
      seed: options.seed,
      threads: threadsOf(options.threads),
    };
    const exitCode = await runCommand('skeleton', request, options, (report) => {
      const { input, output: written, error, seconds, joints } = report;
      const total = formatSeconds(seconds.read + seconds.fit + seconds.write);
      return [
        ...treeLines(joints),
        ...alignRows(errorRows(error)),
        `${input.name} (${formatBytes(input.bytes)}) → ${written.file} (${formatBytes(written.bytes)})  ` +
          `RMSE ${formatNumber(error.rmsePercent)} %  ${report.bones} bones  ${total}`,
      ];
    });
    finish(exitCode);
  });
}

/** The hierarchy, children indented under their parents. */
function treeLines(joints: readonly { readonly name: string; readonly parent?: string }[]): string[] {
  const depths = new Map<string, number>();
  return joints.map(({ name, parent }) => {
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1;
    depths.set(name, depth);
    return `${'  '.repeat(depth)}${name}`;
  });
}

/** A vertex by its number, or a point. */
function rootOf(text: string): SkeletonOptions['root'] {
  if (/^\d+$/.test(text)) return wholeNumber(0)(text);
  const values = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [x, y, z] = values;
  if (values.length !== 3 || !values.every(Number.isFinite)) {
    throw new InvalidArgumentError('It must be a vertex, such as 17, or a point, such as 0,1.2,0.');
  }
  return [x, y, z];
}
