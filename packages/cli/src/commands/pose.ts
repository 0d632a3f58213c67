import { BUILD_POSER_DEFAULTS, type Handle, POSE_DEFAULTS } from '@pelt/skin';
import { type Command, InvalidArgumentError } from 'commander';
import { DEFAULT_CONTROLS } from '../jobs/pose-defaults.ts';
import { formatBytes, formatNumber, formatSeconds } from '../terminal/amounts.ts';
import {
  addCommonOptions,
  addThreadsOption,
  type CommonOptions,
  type Example,
  positiveNumber,
  threadsOf,
  wholeNumber,
} from './common-options.ts';
import { runCommand } from './run-command.ts';

export const POSE_EXAMPLES: readonly Example[] = [
  {
    does: 'Learn from examples, and keep what is learnt',
    run: 'pelt pose rest.obj --examples frames --controls 6 --save poser.glb',
  },
  {
    does: 'The same and a pose by two points, in one go',
    run: 'pelt pose rest.obj --examples frames --controls 6 --handle 0=0,0,0 --handle 140=1,0.5,0 -o posed.obj',
  },
  { does: 'A rigged character by its own animation', run: 'pelt pose character.glb --handle 140=1,0.5,0 -o posed.glb' },
];

interface PoseCommandOptions extends CommonOptions {
  readonly examples?: string[];
  readonly handle?: Handle[];
  readonly soft?: Handle[];
  readonly path?: string;
  readonly save?: string;
  readonly output?: string;
  readonly transfer?: string;
  readonly controls?: number;
  readonly proxies?: number;
  readonly details: boolean;
  readonly ridge?: number;
  readonly pull?: number;
  readonly threads?: number;
}

export function definePose(command: Command, finish: (exitCode: number) => void): void {
  command
    .argument('<model>', 'a GLB that was saved, a skinned and animated glTF, or a mesh at rest with --examples')
    .option('-o, --output <file>', 'the posed mesh (.obj, .ply, .glb); with --path a clip (.glb) or its frames')
    .option('--examples <file...>', 'poses of the model to learn from: meshes, a folder, a cache')
    .option(
      '--handle <vertex=x,y,z>',
      'hold a vertex, counted from 0, at a place; as often as wanted',
      collect(handleAt),
    )
    .option('--soft <vertex=x,y,z~s>', 'draw a vertex to a place with softness s', collect(softHandleAt))
    .option('--path <file>', 'handles over time, as JSON')
    .option('--save <file.glb>', 'keep the character with all that is learnt, to be opened without its examples')
    .option('--transfer <file.glb>', 'take the pose space of another character that was saved')
    .option('--controls <n>', `controls to learn (default: ${DEFAULT_CONTROLS})`, wholeNumber(1))
    .option('--proxies <n>', `most proxies (default: ${BUILD_POSER_DEFAULTS.proxies})`, wholeNumber(1))
    .option('--no-details', 'leave out what the controls cannot do of the examples: a smaller, smoother character')
    .option('--ridge <l>', `how much poses are drawn to the examples (default: ${POSE_DEFAULTS.ridge})`, positiveNumber)
    .option('--pull <f>', `the largest force of a handle (default: ${POSE_DEFAULTS.pull})`, positiveNumber);
  addThreadsOption(command);
  addCommonOptions(command, POSE_EXAMPLES).action(async (model: string, options: PoseCommandOptions) => {
    const request = {
      model,
      examples: options.examples ?? [],
      handles: [...(options.handle ?? []), ...(options.soft ?? [])],
      path: options.path,
      save: options.save,
      output: options.output,
      transfer: options.transfer,
      controls: options.controls,
      proxies: options.proxies,
      details: options.details,
      ridge: options.ridge,
      pull: options.pull,
      threads: threadsOf(options.threads),
    };
    const exitCode = await runCommand('pose', request, options, (report) => {
      const { seconds } = report;
      const made = [report.output, report.saved].flatMap((file) =>
        file ? [`${file.file} (${formatBytes(file.bytes)})`] : [],
      );
      return [
        ...report.handles.map(({ vertex, error }) => `handle ${vertex}  error ${formatNumber(error)}`),
        `${report.model.file} (${formatBytes(report.model.bytes)}) → ${made.join(', ')}  ` +
          `handle error ${formatNumber(report.largestHandleError)}  ${report.iterations} iterations  ` +
          `${formatNumber(1000 * seconds.solve)} ms posing  ${formatSeconds(seconds.read + seconds.solve + seconds.write)}`,
      ];
    });
    finish(exitCode);
  });
}

function collect<T>(read: (text: string) => T): (text: string, previous: T[] | undefined) => T[] {
  return (text, previous = []) => [...previous, read(text)];
}

function handleAt(text: string): Handle {
  const [vertex, place, ...rest] = text.split('=');
  const target = (place ?? '').split(',').map((word) => (word.trim() === '' ? Number.NaN : Number(word)));
  if (!/^\d+$/.test(vertex) || rest.length > 0 || target.length !== 3 || !target.every(Number.isFinite)) {
    throw new InvalidArgumentError('It must be a vertex and its place, like 120=0.5,1,-0.25.');
  }
  return { vertex: Number(vertex), target };
}

function softHandleAt(text: string): Handle {
  const [handle, softness, ...rest] = text.split('~');
  const value = Number(softness);
  if (softness === undefined || softness.trim() === '' || rest.length > 0 || !(value >= 0)) {
    throw new InvalidArgumentError('It must be a vertex, its place and a softness, like 120=0.5,1,-0.25~2.');
  }
  return { ...handleAt(handle), softness: value };
}
