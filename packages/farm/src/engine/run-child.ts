/**
 * One job in a process of its own: it may die, be killed or use all the memory it gets, and nobody else is harmed. The
 * process is `pelt run job.json --events`, which writes what happens to its standard output, one JSON object a line.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Progress } from '@pelt/model';

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
  readonly cwd: string;
  readonly threads: number;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: JobEvent) => void) | undefined;
}

/** A process that has not ended by then is killed. */
const PATIENCE_MS = 3000;
/** What stands for an exit code where a signal ended the process: more than any code of its own. */
export const KILLED = 256;

/** @param jobFile  path of the request, from `cwd` */
export async function runChild(jobFile: string, options: ChildOptions): Promise<RunEnd> {
  const { pelt, cwd, threads, signal, onEvent } = options;
  if (signal?.aborted) return { state: 'cancelled' };
  const [command, ...words] = [...pelt, 'run', jobFile, '--events', '--threads', String(threads)];
  const child = spawn(command, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const cancel = () => void endChild(child);
  signal?.addEventListener('abort', cancel, { once: true });
  let report: object | undefined;
  let failure = '';
  const errors = tail(child);
  const closed = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('error', (error) => {
      failure = error.message;
      resolve({ code: KILLED, signal: null });
    });
    child.on('close', (code, ended) => resolve({ code, signal: ended }));
  });
  const events = createInterface({ input: child.stdout });
  events.on('line', (line) => {
    const event = parse(line);
    if (event?.type === 'done') report = event.report;
    else if (event?.type === 'failed') failure = event.message;
    else if (event) onEvent?.(event);
  });
  const { code, signal: killedBy } = await closed;
  signal?.removeEventListener('abort', cancel);
  if (code === 0 && report) return { state: 'done', report };
  if (signal?.aborted) return { state: 'cancelled' };
  const message =
    failure || errors() || (killedBy ? `the process was ended by ${killedBy}` : `the process ended with code ${code}`);
  return { state: 'failed', exitCode: code ?? KILLED, message };
}

/** Exit code of a job that did its work and found a limit of `--fail-over` exceeded. */
const LIMIT_EXCEEDED = 6;

/** Bad requests, bad files and limits stay as they are; what the machine did to a run may go better the next time. */
export function isWorthAnotherTry({ exitCode }: { readonly exitCode: number }): boolean {
  return exitCode > 3 && exitCode !== LIMIT_EXCEEDED;
}

/** Asks a process to end, and sees to it that it does. */
async function endChild(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  child.once('close', () => clearTimeout(timer));
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
