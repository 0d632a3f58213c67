import { UsageError } from '@pelt/model';
import { PERFORM_DEFAULTS, PUPPET_DEFAULTS, type PuppetOptions } from '@pelt/skin';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatBytes, formatSeconds } from '../terminal/amounts.ts';
import { addCommonOptions, type CommonOptions, type Example, positiveNumber, wholeNumber } from './common-options.ts';
import { runCommand } from './run-command.ts';

export const PUPPET_EXAMPLES: readonly Example[] = [
  {
    does: 'A recorded performance onto a character',
    run: 'pelt puppet dog.glb --pairs dog.json --motion me.bvh -o performed.glb',
  },
  {
    does: 'Arms and legs on their own, and feet that do not slide',
    run: 'pelt puppet dog.glb --pairs dog.json --motion me.bvh --parts body --contacts auto -o dog-2.glb',
  },
  {
    does: 'Eight moments of a recording that are worth a pair, as a file to fill in',
    run: 'pelt puppet dog.glb --motion me.bvh --suggest 8 -o pairs.json',
  },
];

interface PuppetCommandOptions extends CommonOptions {
  readonly output: string;
  readonly motion: string;
  readonly pairs?: string;
  readonly suggest?: number;
  readonly projection?: PuppetOptions['projection'];
  readonly lambda?: number;
  readonly interpolation?: PuppetOptions['interpolation'];
  readonly parts?: 'whole' | 'body' | 'limbs';
  readonly features?: PuppetOptions['features'];
  readonly delay?: number;
  readonly travel?: number;
  readonly turn: boolean;
  readonly contacts?: string;
  readonly loose?: string;
  readonly fps?: number;
  readonly keys?: number;
  readonly keepClips?: boolean;
  readonly aspect?: number;
  readonly depth?: number;
}

export function definePuppet(command: Command, finish: (exitCode: number) => void): void {
  const { projection, lambda, interpolation, parts, features, delay, travel } = PUPPET_DEFAULTS;
  const choice = (flags: string, does: string, choices: readonly string[], standard: unknown) =>
    new Option(flags, `${does} (default: ${standard})`).choices(choices);
  command
    .argument('<character>', 'a skinned .glb or .gltf')
    .requiredOption('--motion <file>', 'BVH, or a recording of a Kinect or of MediaPipe Pose')
    .requiredOption('-o, --output <file>', 'the GLB to write; with --suggest the JSON')
    .option('--pairs <file>', 'the poses to learn from, as JSON')
    .option(
      '--suggest <n>',
      'write a file of pairs with so many moments of the motion, to be filled in',
      wholeNumber(1),
    )
    .addOption(choice('--projection <name>', 'how poses are expressed by the pairs', PROJECTIONS, projection))
    .option('--lambda <l>', `what going beyond the pairs costs under l1 (default: ${lambda})`, numberFrom0)
    .addOption(choice('--interpolation <name>', 'how poses are put together', INTERPOLATIONS, interpolation))
    .addOption(choice('--parts <name>', 'what is learnt apart', PARTS, parts))
    .addOption(choice('--features <name>', 'what is compared of the performer', FEATURES, features))
    .option('--delay <s>', `most seconds by which smoothing may lag; 0 for none (default: ${delay})`, numberFrom0)
    .option('--travel <f>', `how far the character goes, by its height; 0 stays (default: ${travel})`, numberFrom0)
    .option('--no-turn', 'do not turn with the performer')
    .option('--contacts <bones>', "feet that shall not slide: 'auto', or names with commas between")
    .option('--loose <bones>', 'bones that swing after the motion, with all below: names with commas between')
    .option('--fps <n>', 'frames a second of recordings that do not say', positiveNumber)
    .option('--keys <n>', `most keys a second to write (default: ${PERFORM_DEFAULTS.framesPerSecond})`, positiveNumber)
    .option('--keep-clips', "keep the character's own animations beside the new one")
    .option('--aspect <r>', 'width over height of the picture that landmarks were found in', positiveNumber)
    .option('--depth <f>', 'what the depth of such landmarks is multiplied by', positiveNumber);
  addCommonOptions(command, PUPPET_EXAMPLES).action(async (character: string, options: PuppetCommandOptions) => {
    const { motion, output, fps, aspect, depth, keys, keepClips = false } = options;
    const request = {
      character,
      motion,
      input: { fps, aspect, depth },
      output,
      pairs: pairsOf(options),
      options: puppetOptions(options),
      keys,
      keepClips,
    };
    const exitCode = await runCommand('puppet', request, options, (report) => {
      const { input, output: written, times, seconds } = report;
      const total = formatSeconds(seconds.read + seconds.perform + seconds.write);
      if (times) {
        return [
          ...report.pairs.map((name, k) => `${name}: ${times[k].toFixed(3)} s`),
          `${input.motion} → ${written.file}  ${times.length} pairs to fill in  ${total}`,
        ];
      }
      return [
        `${input.character} + ${input.motion} → ${written.file} (${formatBytes(written.bytes)})  ` +
          `${report.pairs.length} pairs  ${written.keys} keys  ${total}`,
      ];
    });
    finish(exitCode);
  });
}

const PROJECTIONS = ['linear', 'positive', 'l1'] as const;
const INTERPOLATIONS = ['kinematic', 'linear'] as const;
const PARTS = ['whole', 'body', 'limbs'] as const;
const FEATURES = ['directions', 'positions'] as const;

function pairsOf({ pairs, suggest }: PuppetCommandOptions): string | number {
  if (pairs !== undefined && suggest !== undefined) {
    throw new UsageError('--pairs learns and --suggest prepares that; give one of them');
  }
  const chosen = pairs ?? suggest;
  if (chosen === undefined) throw new UsageError('what is the character to learn? give --pairs, or --suggest to begin');
  return chosen;
}

/** Absent options are left to the defaults of the method. */
function puppetOptions(options: PuppetCommandOptions): Partial<PuppetOptions> {
  const { projection, lambda, interpolation, parts, features, delay, travel, turn, contacts, loose } = options;
  return {
    projection,
    lambda,
    interpolation,
    parts,
    features,
    delay,
    travel,
    turn,
    contacts: contacts === undefined || contacts === 'auto' || contacts === 'none' ? contacts : namesOf(contacts),
    loose: loose === undefined ? undefined : namesOf(loose),
  };
}

function namesOf(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function numberFrom0(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError('It must be a number from 0.');
  }
  return value;
}
