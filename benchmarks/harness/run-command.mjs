/**
 * One run of a command line: wall time, processor time of it and its children, and what it printed.
 *
 * Node cannot ask the system for a child's processor time. The `time` keyword of bash can, to a millisecond, and counts
 * neither the shell nor what starts it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The command keeps its stderr as descriptor 3; the times go to descriptor 4. */
const TIMED = `TIMEFORMAT='%3R %3U %3S'; { time "$@" 2>&3 3>&- 4>&-; } 2>&4`;
const MOST_OUTPUT = 1 << 28;

/**
 * @param command  program and arguments
 * @param options  { cwd, codes }: the folder it runs in, and the exit codes that are no failure
 * @returns { wall, processor } in seconds, { code, stdout, stderr }
 */
export function runCommand(command, { cwd, codes = [0] } = {}) {
  const ended = spawnSync('bash', ['-c', TIMED, 'bash', ...command], {
    cwd,
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
  });
  if (ended.error) throw new Error(`times are taken by bash, which could not be started: ${ended.error.message}`);
  const [, stdout, , stderr, times] = ended.output;
  if (!codes.includes(ended.status)) {
    throw new Error(`'${command.join(' ')}' ended with ${ended.status ?? ended.signal}: ${stderr.trim()}`);
  }
  // Some locales have a decimal comma.
  const [wall, user, system] = times.replaceAll(',', '.').trim().split(/\s+/).map(Number);
  return { wall, processor: user + system, code: ended.status, stdout, stderr };
}

/** The command `pelt` of a checkout: a program and its first argument. */
export function peltOf(checkout) {
  const folder = join(checkout, 'packages', 'cli');
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return [process.execPath, join(folder, bin.pelt)];
}

/** Seconds of a command that its own report (`--json`) does not account for; undefined where there is no report. */
export function overheadOf({ wall, stdout }) {
  if (!stdout.startsWith('{')) return undefined;
  const { seconds } = JSON.parse(stdout);
  if (typeof seconds !== 'object') return undefined;
  return wall - Object.values(seconds).reduce((sum, value) => sum + value, 0);
}
