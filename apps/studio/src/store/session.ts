/** What is going on right now: ends with the page. */
import type { CommandName } from '@pelt/jobs/commands';
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
  /** Undefined where the files say it themselves. */
  readonly fps: number | undefined;
  readonly up: 'y' | 'z' | undefined;
}

export interface Notice {
  readonly kind: 'error' | 'info';
  readonly text: string;
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
  /** Whether a hand is on the model: it is shown alone then. */
  readonly hands: boolean;
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
  hands: false,
};
