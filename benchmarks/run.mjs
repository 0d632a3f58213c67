/**
 * `npm run bench`: measures, prints a table (or JSON on stdout), and writes results/TASK.csv and results/index.html.
 * Progress goes to stderr. The last line lists the targets that are missed, if any (on stderr with --json), and the exit
 * code is then 1. With --against it compares two checkouts instead; see against.mjs.
 *
 * A task is a file in tasks/ whose default export is
 *
 *   { name, needs: ['horse-gallop/rest.obj', …], async run(context) → rows }
 *
 * with rows { case, metric, value, unit, reference?, referenceName?, target? }, and `onlyIfNamed: true` if a run without
 * names leaves it out; see harness/rows.mjs for the target and
 * harness/context.mjs for what a task is given. Tasks run on what `npm run build` made, never on sources.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { AGAINST_DEFAULTS, againstOptions, compareCheckouts } from './against.mjs';
import { createContext, dataPath } from './harness/context.mjs';
import { writePage } from './harness/page.mjs';
import { mergeResults, readResults, writeResults } from './harness/results.mjs';
import { finishRow, missedLine } from './harness/rows.mjs';
import { formatTable } from './harness/table.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const results = join(here, 'results');
/** The order in which the tasks follow each other; others come after, by name. */
const ORDER = [
  'math',
  'io',
  'assets',
  'formats',
  'cli',
  'decompose',
  'skeleton',
  'reduce',
  'envelope',
  'ik',
  'volume',
  'puppet',
  'compose',
  'three',
  'studio',
  'blender',
];

const HELP = `Usage: npm run bench -- [TASK...] [--json] [--only=TEXT] [--without-times]
       npm run bench -- --against=DIR [TASK...] [--command=LINE]... [--rounds=N] [--limit=RATIO] [--json] [--only=TEXT]

Runs all tasks that have targets, or those that are named, and ends with 1 where a target is missed.

  --json          rows as JSON on stdout
  --only=TEXT     the cases whose names contain the text; their rows take the place of earlier ones in the results
  --without-times leave out what a busy machine cannot measure, where that saves time (assets)
  --against=DIR   compare the times of this checkout with those of another one, in alternation
  --command=LINE  compare this command line, too, or instead of tasks; the word pelt stands for each checkout's own
  --rounds=N      how many times each checkout runs (default: ${AGAINST_DEFAULTS.rounds})
  --limit=RATIO   end with 1 where a time is more than so many times the other's (default: ${AGAINST_DEFAULTS.limit})
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  let options;
  try {
    options = parse(args);
  } catch (error) {
    return fail(error.message, 1);
  }
  const { wanted, json, only, against, help, times } = options;
  if (help) {
    console.log(HELP);
    return 0;
  }
  const tasks = await loadTasks();
  const missing = wanted.find((name) => !tasks.some((task) => task.name === name));
  if (missing) return fail(`no task '${missing}'; there are ${tasks.map((task) => task.name).join(', ')}`, 1);
  if (against) {
    try {
      return compareCheckouts({ ...against, tasks: wanted, only, json });
    } catch (error) {
      return fail(error.message, 1);
    }
  }

  const rows = [];
  let failed = false;
  for (const task of tasks) {
    if (wanted.length > 0 ? !wanted.includes(task.name) : task.onlyIfNamed) continue;
    const absent = task.needs.filter((path) => !existsSync(dataPath(path)));
    if (absent.length > 0) {
      failed = true;
      fail(`${task.name}: needs ${absent.join(', ')}, which is not in ${dataPath('')}; set PELT_DATA`);
      continue;
    }
    const context = createContext(task.name, only, times);
    try {
      const found = (await task.run(context)).map((row) => finishRow(task.name, row));
      (only === undefined ? writeResults : mergeResults)(results, task.name, found);
      rows.push(...found);
    } catch (error) {
      failed = true;
      fail(`${task.name}: ${error.stack ?? error}`);
    } finally {
      await context.close();
    }
  }
  writePage(results, readResults(results, ORDER));
  console.log(json ? JSON.stringify(rows, undefined, 1) : formatTable(rows));
  if (rows.length === 0 && only !== undefined && !failed) return fail(`no case contains '${only}'`, 1);
  const missed = missedLine(rows);
  if (missed) (json ? console.error : console.log)(missed);
  return failed || missed ? 1 : 0;
}

function parse(args) {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      json: { type: 'boolean' },
      only: text,
      'without-times': { type: 'boolean' },
      against: text,
      command: { ...text, multiple: true },
      rounds: text,
      limit: text,
    },
  });
  const { help = false, json = false, only } = values;
  return { wanted: positionals, help, json, only, against: againstOptions(values), times: !values['without-times'] };
}

async function loadTasks() {
  const files = readdirSync(join(here, 'tasks')).filter((file) => file.endsWith('.mjs'));
  const tasks = await Promise.all(
    files.map(async (file) => (await import(pathToFileURL(join(here, 'tasks', file)).href)).default),
  );
  const place = (task) => (ORDER.includes(task.name) ? ORDER.indexOf(task.name) : ORDER.length);
  return tasks.sort((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1));
}

function fail(message, code) {
  console.error(`error: ${message}`);
  return code;
}
