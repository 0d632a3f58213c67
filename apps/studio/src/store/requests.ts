/** From what is chosen in a panel to the request of a command, and to the line that a shell takes. */
import { type CommandName, flagOf } from '@pelt/jobs/commands';
import { ENVELOPE, FIT, PUPPET, REDUCE, SKELETON } from '@pelt/jobs/tables';
import { takenOf } from '@pelt/model';
import { DECOMPOSE_TAKEN_BY } from '@pelt/skin/decompose/options';
import {
  type FitChoices,
  type InputChoices,
  type NamedClip,
  type PuppetChoices,
  type ReduceChoices,
  type SkeletonChoices,
  type SkinChoices,
  trainingFrames,
} from './document.ts';
import { effectiveOptions } from './more-options.ts';

export type RequestOptions = Readonly<Record<string, unknown>>;

export interface Request {
  readonly command: CommandName;
  readonly inputs: readonly string[];
  readonly output?: string | undefined;
  readonly options: RequestOptions;
}

/** Options of a fit; those at their defaults are left to the command. */
export function fitOptions(choices: FitChoices, input: InputChoices): RequestOptions {
  const { method, goal, bones, maxError, weights, smooth, restPose } = choices;
  return {
    ...clipsOptions(input),
    method,
    ...(goal === 'bones' ? { bones } : { maxError: limitOf(maxError) }),
    weights,
    ...takenOf(method, DECOMPOSE_TAKEN_BY, { ...(smooth > 0 && { smooth }), restPose }),
    ...effectiveOptions(FIT, choices.more, choices),
  };
}

export function skeletonOptions(choices: SkeletonChoices, input: InputChoices): RequestOptions {
  const { method, bones, weights, symmetry } = choices;
  const more = effectiveOptions(SKELETON, choices.more, choices);
  return {
    ...clipsOptions(input),
    method,
    ...(bones > 0 && { bones }),
    weights,
    ...(symmetry && { symmetry }),
    ...more,
  };
}

export function reduceOptions(choices: ReduceChoices, input: InputChoices): RequestOptions {
  const { method, weights, bones, virtual, budget, compress } = choices;
  const { method: by, ...others } = choices.more;
  const more = effectiveOptions(REDUCE, method === 'weights' ? choices.more : others, {
    method: method === 'two-layer' ? method : by,
  });
  const common = { ...inputOptions(input), compress, ...more };
  if (method === 'budget') return { ...inputOptions(input), budget, ...more };
  if (method === 'two-layer') return { ...common, method, ...(virtual > 0 && { virtual }) };
  return { ...common, weights, ...(bones > 0 && { bones }) };
}

/** @param frames  of the animation */
export function envelopeOptions(choices: SkinChoices, input: InputChoices, frames: number): RequestOptions {
  const { predictor, proxies } = choices;
  const train = trainingFrames(choices, frames).map((frame) => frame + 1);
  const learnt = (predictor === 'linear-maps' || predictor === 'wang') && proxies > 0 && { proxies };
  const more = effectiveOptions(ENVELOPE, choices.more, choices);
  return { ...clipsOptions(input), predictor, ...(train.length < frames && { train }), ...learnt, ...more };
}

/** @param motion  the file that is performed */
export function puppetOptions(choices: PuppetChoices, motion: string | undefined): RequestOptions {
  const { pairs } = choices;
  return {
    motion,
    ...(pairs && { pairs: pairs.name }),
    ...playingOptions(choices),
    ...effectiveOptions(PUPPET, choices.more, {}),
  };
}

/** How a character follows, live or from a file. */
export function playingOptions({ parts, contacts, loose, delay, travel }: PuppetChoices) {
  const names = loose.split(',').flatMap((name) => name.trim() || []);
  return {
    parts,
    ...(contacts && { contacts: 'auto' as const }),
    ...(names.length > 0 && { loose: names }),
    delay,
    travel,
  };
}

/** Options of a command line that a puppet itself takes, for a rehearsal of what the command will do. */
const REHEARSED = ['base', 'projection', 'lambda', 'noise', 'interpolation', 'features', 'turn'];

export function rehearsalOptions(choices: PuppetChoices) {
  const more = Object.entries(choices.more).filter(([name]) => REHEARSED.includes(name));
  return { ...playingOptions(choices), ...Object.fromEntries(more) };
}

export function inputOptions({ rest, fps, up }: InputChoices): RequestOptions {
  return { ...(rest !== undefined && { rest }), ...(fps !== undefined && { fps }), ...(up !== undefined && { up }) };
}

/** The same for the commands that take several clips of a mesh. */
function clipsOptions(input: InputChoices): RequestOptions {
  return { ...inputOptions(input), ...(input.clip && { clip: input.clip }) };
}

/** A plain number is an E_RMS; everything else is checked by the command. */
function limitOf(text: string): number | string {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text.trim();
}

/** The command line that makes the same bytes. */
export function commandLine({ command, inputs, output, options }: Request): string {
  const words = ['pelt', command, ...inputs.map(quoted)];
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || value === false) continue;
    if (value === true) words.push(flagOf(key));
    else if (isClips(value)) {
      for (const { name, files } of value) words.push(flagOf(key), quoted(`${name}=${files.join(',')}`));
    }
    // Lists of numbers are one word: 1,4,7.
    else words.push(flagOf(key), quoted(String(value)));
  }
  if (output !== undefined) words.push('-o', quoted(output));
  return words.join(' ');
}

function isClips(value: unknown): value is readonly NamedClip[] {
  return Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null && 'files' in value[0];
}

/** A word as a POSIX shell reads it back. */
function quoted(word: string): string {
  return /^[\w./:=,%+@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
