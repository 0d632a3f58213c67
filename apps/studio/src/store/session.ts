/** What is going on right now: ends with the page. */
import type { CommandName } from '@pelt/jobs/commands';
import type { CopiedKeys, KeyPlace, Track } from './clips.ts';
import type { StoredFile } from './library.ts';

/** A job that runs. */
export interface Task {
  readonly command: CommandName;
  readonly stage: string;
  /** 0 to 1. */
  readonly fraction: number;
  readonly detail: string;
  /** E_RMS after each round so far. */
  readonly curve: readonly number[];
  /** Seconds since it started, and seconds left where they can be told. */
  readonly seconds: number;
  readonly left: number | undefined;
}

/** Files that wait for an answer of the dialog. */
export interface Question {
  /** Kept here, because the library forgets what no document names. */
  readonly files: readonly StoredFile[];
  readonly paths: readonly string[];
  /** Animations of which one is opened. */
  readonly clips: readonly string[];
  /** Meshes that could be the rest pose. */
  readonly rests: readonly string[];
  readonly rest: string | undefined;
  /** A rig among the files, which may be what plays the animation, or all that is meant. */
  readonly rig: string | undefined;
  /** Undefined where the files say it themselves. */
  readonly fps: number | undefined;
  readonly up: 'y' | 'z' | undefined;
}

export interface Notice {
  readonly kind: 'error' | 'info';
  readonly text: string;
}

/** Two shapes that are compared without a run: what was given, and what came of it. */
export interface ComparedPair {
  readonly given: string | undefined;
  readonly result: string;
  /** Distance that 99.9 % of all vertices stay below, in parts of the diagonal. */
  readonly p999: number;
}

/** How much each pair of poses counts over a performance. */
export interface ShownWeights {
  readonly pairs: readonly string[];
  readonly parts: readonly string[];
  /** frames × P × N; those of a part sum to 1, and may be below 0 */
  readonly values: Float32Array;
}

export type Dialog = 'gallery' | 'shortcuts' | 'export';

export interface Session {
  readonly opening: string | undefined;
  readonly task: Task | undefined;
  readonly question: Question | undefined;
  readonly dialog: Dialog | undefined;
  readonly notice: Notice | undefined;
  /** Whether threads can share memory: else one thread works. */
  readonly isolated: boolean;
  /** What draws: `WebGPU`, `WebGL 2`, or a lost context. */
  readonly renderer: string;
  readonly saved: 'saving' | 'saved' | 'elsewhere' | 'off';
  /** The first picture has been drawn. */
  readonly drawn: boolean;
  /** What plays in place of the animation: a performance. */
  readonly clip: { readonly frames: number; readonly fps: number } | undefined;
  /** What is shown in place of the input and the result: a face. */
  readonly pair: ComparedPair | undefined;
  /** Whether a hand is on the model: it is shown alone then. */
  readonly hands: boolean;
  /** Drawn on the timeline in place of the error. */
  readonly weights: ShownWeights | undefined;
  /** What stands over each of several views of one character; undefined: there is one view. */
  readonly views: readonly string[] | undefined;
  /** The track that the mode in front keys into; undefined: it has no keys. */
  readonly keying: Track | undefined;
  /** Keys that are chosen on the timeline, and those that were copied there. */
  readonly chosenKeys: readonly KeyPlace[];
  readonly copiedKeys: CopiedKeys | undefined;
}

export const EMPTY_SESSION: Session = {
  opening: undefined,
  task: undefined,
  question: undefined,
  dialog: undefined,
  notice: undefined,
  isolated: false,
  renderer: '',
  saved: 'off',
  drawn: false,
  clip: undefined,
  pair: undefined,
  hands: false,
  weights: undefined,
  views: undefined,
  keying: undefined,
  chosenKeys: [],
  copiedKeys: undefined,
};
