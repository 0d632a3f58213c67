/**
 * `npm run bench [-- TASK…] [--json] [--only=TEXT]`: measures, prints a table (or JSON on stdout), and writes
 * results/TASK.csv and results/index.html. Progress goes to stderr. With --only a task runs the cases whose names contain
 * the text, where it can, and their rows take the place of the earlier ones.
 *
 * A task is a file in tasks/ whose default export is
 *
 *   { name, needs: ['horse-gallop/rest.obj', …], async run(context) → rows }
 *
 * with rows { case, metric, value, unit, reference?, referenceName?, target? }; see harness/rows.mjs for the target and
 * harness/context.mjs for what a task is given. Tasks run on what `npm run build` made, never on sources.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createContext, dataPath } from './harness/context.mjs';
import { writePage } from './harness/page.mjs';
import { mergeResults, readResults, writeResults } from './harness/results.mjs';
import { finishRow } from './harness/rows.mjs';
import { formatTable } from './harness/table.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const results = join(here, 'results');
/** The order in which the tasks follow each other; others come after, by name. */
const ORDER = ['math', 'decompose', 'skeleton', 'reduce', 'envelope', 'ik', 'volume', 'puppet', 'three'];

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const flags = args.filter((argument) => argument.startsWith('-'));
  const wanted = args.filter((argument) => !argument.startsWith('-'));
  const unknown = flags.find((flag) => flag !== '--json' && !flag.startsWith('--only='));
  if (unknown) return fail(`unknown option '${unknown}'; there are --json and --only=TEXT`, 1);
  const only = flags.find((flag) => flag.startsWith('--only='))?.slice('--only='.length);
  const tasks = await loadTasks();
  const missing = wanted.find((name) => !tasks.some((task) => task.name === name));
  if (missing) return fail(`no task '${missing}'; there are ${tasks.map((task) => task.name).join(', ')}`, 1);

  const rows = [];
  let failed = false;
  for (const task of tasks) {
    if (wanted.length > 0 && !wanted.includes(task.name)) continue;
    const absent = task.needs.filter((path) => !existsSync(dataPath(path)));
    if (absent.length > 0) {
      failed = true;
      fail(`${task.name}: needs ${absent.join(', ')}, which is not in ${dataPath('')}; set PELT_DATA`);
      continue;
    }
    const context = createContext(task.name, only);
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
  console.log(process.argv.includes('--json') ? JSON.stringify(rows, undefined, 1) : formatTable(rows));
  return failed ? 1 : 0;
}

async function loadTasks() {
  const files = readdirSync(join(here, 'tasks')).filter((file) => file.endsWith('.mjs'));
  const tasks = await Promise.all(
    files.map(async (file) => (await import(pathToFileURL(join(here, 'tasks', file)).href)).default),
  );
  const place = (task) => (ORDER.indexOf(task.name) + ORDER.length + 1) % (ORDER.length + 1);
  return tasks.sort((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1));
}

function fail(message, code) {
  console.error(`error: ${message}`);
  return code;
}
