/** Limits of one job, kept by the process that started it. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface JobLimits {
  /** Seconds from start to end. */
  readonly maxTime?: number | undefined;
  /** Bytes of the process and of those that it started. */
  readonly memory?: number | undefined;
}

/** Milliseconds between two looks at the memory of a job: a gigabyte takes longer to fill. */
const LOOK_EVERY = 100;
/** Where it takes a process to look, less often. */
const ASK_EVERY = 1000;

/**
 * Watches a process.
 *
 * @param end  called once, when a limit is exceeded
 * @returns what stops it, and says which limit was exceeded
 */
export function watchLimits(
  pid: number | undefined,
  { maxTime, memory }: JobLimits,
  end: () => void,
): { stop(): string | undefined } {
  let exceeded: string | undefined;
  const exceed = (message: string) => {
    if (exceeded !== undefined) return;
    exceeded = message;
    end();
  };
  const timer =
    maxTime === undefined
      ? undefined
      : setTimeout(() => exceed(`it took longer than ${maxTime} s; give more --max-time`), 1000 * maxTime);
  const measure = (bytes: number) => {
    if (memory !== undefined && bytes > memory)
      exceed(`it used more memory than ${Math.round(memory / 1e6)} MB; give more --memory`);
  };
  const poll =
    memory === undefined || pid === undefined
      ? undefined
      : process.platform === 'linux'
        ? setInterval(() => measure(groupMemory(pid)), LOOK_EVERY)
        : setInterval(() => askMemory(pid, measure), ASK_EVERY);
  return {
    stop: () => {
      clearTimeout(timer);
      clearInterval(poll);
      return exceeded;
    },
  };
}

const PAGE = 4096;

/** Bytes in memory of a process and its descendants, as Linux tells them; 0 where it has ended. */
function groupMemory(pid: number): number {
  try {
    // Fields: total, resident, shared, in pages. Pages of most systems have 4 KiB; larger ones would only count as less.
    let bytes = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE;
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      for (const child of readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
        if (child) bytes += groupMemory(Number(child));
    }
    return bytes;
  } catch {
    return 0;
  }
}

function askMemory(pid: number, tell: (bytes: number) => void): void {
  execFile('ps', ['-o', 'rss=', '-g', String(pid)], (error, stdout) => {
    if (!error) tell(1024 * stdout.split('\n').reduce((sum, line) => sum + (Number(line) || 0), 0));
  });
}
