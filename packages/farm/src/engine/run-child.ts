/**
 * One job in a process of its own: it may die, be killed or use all the memory it gets, and nobody else is harmed. The
 * process is `pelt run job.json --events`, which writes what happens to its standard output, one JSON object a line. Its
 * limits of time and memory are kept from here, for a process that is stuck keeps none.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import type { Progress } from '@pelt/model';
import { MARKER } from '../store/store.ts';
import type { Runner } from './execute-job.ts';
import { type JobLimits, watchLimits } from './job-limits.ts';

/** What a running job tells. */
export type JobEvent =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'warning'; readonly message: string };

/** How a run ended. */
export type RunEnd =
  | { readonly state: 'done'; readonly report: object }
  | { readonly state: 'failed'; readonly exitCode: number; readonly message: string }
  | { readonly state: 'cancelled' };

export interface ChildOptions {
  /** The command that runs pelt: `['node', 'pelt.mjs']`. */
  readonly pelt: readonly string[];
  readonly threads: number;
  readonly limits?: JobLimits | undefined;
}

/** A process that has not ended by then is killed. */
const PATIENCE_MS = 3000;
/** As shells have it, where a command cannot be started. */
const NOT_STARTED = 127;
/** A process that ends well and says nothing of a result is as broken as one that fails. */
const FAULT = 5;

/** Runs jobs as processes. */
export function childRunner({ pelt, threads, limits = {} }: ChildOptions): Runner {
  return async (folder, { signal, onEvent }) => {
    if (signal.aborted) return { state: 'cancelled' };
    const [command, ...words] = [
      ...pelt,
      'run',
      MARKER,
      '--events',
      '--threads',
      String(threads),
      ...memoryWords(limits),
    ];
    // A group of its own, so that it ends with all it has started; and a channel, whose end tells it that we are gone.
    const child = spawn(command, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true });
    const cancel = () => endChild(child);
    signal.addEventListener('abort', cancel, { once: true });
    const watch = watchLimits(child.pid, limits, () => killGroup(child, 'SIGKILL'));
    let report: object | undefined;
    let failure = '';
    const errors = tail(child);
    const closed = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
      child.on('error', (error) => {
        failure = error.message;
        resolve({ code: NOT_STARTED, signal: null });
      });
      child.on('close', (code, ended) => resolve({ code, signal: ended }));
    });
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const event = parse(line);
        if (event?.type === 'done') report = event.report;
        else if (event?.type === 'failed') failure = event.message;
        else if (event) onEvent(event);
      });
    }
    const { code, signal: killedBy } = await closed;
    signal.removeEventListener('abort', cancel);
    const exceeded = watch.stop();
    if (code === 0 && report) return { state: 'done', report };
    if (signal.aborted) return { state: 'cancelled' };
    if (exceeded !== undefined) return { state: 'failed', exitCode: LIMIT_EXCEEDED, message: exceeded };
    const message =
      failure ||
      errors() ||
      (killedBy ? `the process was ended by ${killedBy}` : `the process ended with code ${code}`);
    return { state: 'failed', exitCode: exitCodeOfEnd(code, killedBy), message };
  };
}

/** Never 0: 128 and its number where a signal ended the process, as shells have it. */
function exitCodeOfEnd(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal !== null) return 128 + (constants.signals[signal] ?? 0);
  return code || FAULT;
}

/** Exit code of a job that exceeds a limit: of `--fail-over`, when it has done its work; of time or memory, at once. */
export const LIMIT_EXCEEDED = 6;

/** Bad requests, bad files and limits stay as they are; what the machine did to a run may go better the next time. */
export function isWorthAnotherTry({ exitCode }: { readonly exitCode: number }): boolean {
  return exitCode > 3 && exitCode !== LIMIT_EXCEEDED;
}

/** Asks a process to end, and sees to it that it does. */
function endChild(child: ChildProcess): void {
  killGroup(child, 'SIGTERM');
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), PATIENCE_MS);
  child.once('close', () => clearTimeout(timer));
}

/** With whatever it started. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended.
  }
}

type ChildLine = JobEvent | { type: 'done'; report: object } | { type: 'failed'; message: string };

function parse(line: string): ChildLine | undefined {
  try {
    const event = JSON.parse(line) as ChildLine;
    return typeof event?.type === 'string' ? event : undefined;
  } catch {
    return undefined;
  }
}

/** The last line of what a process writes to its standard error. */
function tail(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(-4000);
  });
  return () =>
    text
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^error: /, '') ?? '';
}

/** So that it refuses at once what would need more. */
function memoryWords({ memory }: JobLimits): string[] {
  return memory === undefined ? [] : ['--memory', String(Math.floor(memory))];
}
