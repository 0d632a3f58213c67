/**
 * Times of this checkout beside those of another one, both built: benchmark tasks, command lines, or both.
 *
 *   npm run bench -- --against=../parent math io
 *   npm run bench -- --against=../parent --rounds=15 --command='pelt --help' --command='pelt info rest.obj'
 *   npm run bench -- --against=../parent --command='pelt fit rest.obj clip.pc2 -o out.glb --json'
 *
 * Each round runs both checkouts one after the other, and the next round in the other order, so that whatever else the
 * machine does affects both alike. Every task and command has its processor time (user and system, children included) and
 * its wall time; every row of a task that is a time or a rate is compared as well, and every other row whose figure has
 * changed is listed. A command with --json whose report has `seconds` also has the time outside of them: start-up, and
 * what else its stages do not account for.
 *
 * Printed are medians, the ratio of the medians, and the lowest and highest ratio of a round. The exit code is 1 where a
 * ratio exceeds the limit. A command runs in the caller's folder; the word `pelt` stands for the checkout's own. Tasks
 * are each checkout's own and overwrite its benchmarks/results.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { overheadOf, peltOf, runCommand } from './harness/run-command.mjs';
import { formatSideBySide, SideBySide, slowerLine, splitCommand } from './harness/side-by-side.mjs';

const here = resolve(dirname(fileURLToPath(import.meta.url)), '..');
export const AGAINST_DEFAULTS = { rounds: 5, limit: 1.05 };
/** A task that misses a target ends with 1, and its times count all the same. */
const TASK_CODES = [0, 1];

/** Checks the options of a comparison; undefined where none is wanted. */
export function againstOptions({ against, command: commands = [], ...values }) {
  if (against === undefined) {
    const given = Object.keys(AGAINST_DEFAULTS).find((name) => values[name] !== undefined);
    if (given || commands.length > 0) throw new Error(`--${given ?? 'command'} goes with --against=DIR`);
    return undefined;
  }
  const [rounds, limit] = Object.keys(AGAINST_DEFAULTS).map((name) => Number(values[name] ?? AGAINST_DEFAULTS[name]));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds=${values.rounds} is not a number of rounds`);
  if (!(limit > 0)) throw new Error(`--limit=${values.limit} is not a ratio above 0`);
  // npm runs scripts in the root of the project, wherever it was called.
  const folder = process.env.INIT_CWD ?? process.cwd();
  const other = resolve(folder, against);
  for (const checkout of [other, here]) {
    if (!existsSync(join(checkout, 'benchmarks', 'run.mjs')))
      throw new Error(`'${checkout}' is not a checkout of pelt`);
    if (!existsSync(join(checkout, 'packages', 'cli', 'dist'))) {
      throw new Error(`'${checkout}' is not built; run 'npm ci && npm run build' there`);
    }
  }
  return { checkouts: [here, other], folder, commands: commands.map(splitCommand), rounds, limit };
}

/** @returns the exit code */
export function compareCheckouts({ checkouts, folder, commands, rounds, limit, tasks, only, json }) {
  const times = new SideBySide();
  const sides = ['this', 'other'];
  const both = (round) => (round % 2 === 0 ? [0, 1] : [1, 0]);
  const log = (round, side, what) => console.error(`round ${round + 1} of ${rounds}, ${sides[side]}: ${what}`);
  for (const words of commands) {
    const name = words.join(' ');
    for (let round = -1; round < rounds; round++) {
      for (const side of both(round)) {
        const command = words[0] === 'pelt' ? [...peltOf(checkouts[side]), ...words.slice(1)] : words;
        const ended = runCommand(command, { cwd: folder });
        // The first round brings files into the system's memory.
        if (round < 0) continue;
        log(round, side, name);
        times.addRun(side, name, ended);
        const overhead = overheadOf(ended);
        if (overhead !== undefined) times.add(side, name, 'outside its stages', 's', overhead);
      }
    }
  }
  if (tasks.length > 0 || commands.length === 0) {
    const name = tasks.join(', ') || 'all tasks';
    const args = [...tasks, '--json', ...(only === undefined ? [] : [`--only=${only}`])];
    for (let round = 0; round < rounds; round++) {
      for (const side of both(round)) {
        log(round, side, name);
        const script = join(checkouts[side], 'benchmarks', 'run.mjs');
        const ended = runCommand([process.execPath, script, ...args], { cwd: checkouts[side], codes: TASK_CODES });
        times.addRun(side, name, ended);
        for (const row of rowsOf(ended, checkouts[side])) {
          times.add(side, `${row.task}: ${row.case}`, row.metric, row.unit, row.value);
        }
      }
    }
  }
  const results = times.results(limit);
  console.log(json ? JSON.stringify(results, undefined, 1) : formatSideBySide(results));
  const slower = slowerLine(results, limit);
  if (slower) (json ? console.error : console.log)(slower);
  return slower ? 1 : 0;
}

function rowsOf({ code, stdout, stderr }, checkout) {
  const rows = stdout.startsWith('[') ? JSON.parse(stdout) : [];
  if (rows.length === 0) throw new Error(`the tasks of '${checkout}' ended with ${code} and no rows: ${stderr.trim()}`);
  return rows;
}
