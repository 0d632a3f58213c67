/** `pelt batch jobs.jsonl`, `pelt batch sweep …` and `pelt batch split …`. */
import { writeFileSync } from 'node:fs';
import {
  emitTemplate,
  isEngine,
  type Manager,
  openEngine,
  openStore,
  readBatch,
  readVariation,
  splitFit,
  sweep,
} from '@pelt/farm';
import { NodeFiles } from '@pelt/farm/files';
import { UsageError } from '@pelt/model';
import { type Command, Option } from 'commander';
import { printable } from '../terminal/printable.ts';
import {
  addLimits,
  CORES,
  DEFAULT_STORE,
  endingWith,
  JOB_KEY_HELP,
  jobKeyOf,
  limitsOf,
  PELT,
  readText,
  STORE_HELP,
  signalCode,
  untilSignal,
  version,
  wholeFrom,
} from './shared.ts';
import { runAndShow } from './show-batch.ts';

interface BatchOptions {
  readonly engine: string;
  readonly store: string;
  readonly jobs: number;
  readonly threads: number;
  readonly maxTime?: number;
  readonly memory?: number;
  readonly jobKey?: string;
  readonly page?: string;
  readonly emit?: Manager;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  $ pelt batch sweep fit rest.obj clip.pc2 --vary bones=8,12,20 -o out/horse.glb > jobs.jsonl
  $ pelt batch split fit huge.obj huge.pc2 --parts 8 --set bones=20 -o huge.glb > jobs.jsonl
  $ pelt batch jobs.jsonl --page results.html
  $ pelt batch jobs.jsonl --engine redis://127.0.0.1:6379 --store /mnt/pelt
  $ pelt batch jobs.jsonl --emit slurm > jobs.sh

A job is one JSON object a line: {"id", "command", "inputs", "options", "output", "after", "priority"}.`;

export function defineBatch(command: Command, finish: (code: number) => void): void {
  addLimits(command)
    .usage('<jobs.jsonl> [options] | sweep <command> <file...> --vary <option=values> -o <file> | split fit <file...>')
    .argument('<words...>', 'a file with one job a line; or sweep or split, a command and its files')
    .option('--engine <url>', 'what runs the jobs: local, redis://… or postgres://…', 'local')
    .option('--store <place>', STORE_HELP, DEFAULT_STORE)
    .option('--jobs <n>', 'most jobs at a time, of the local engine', wholeFrom(1), CORES)
    .option('--threads <n>', 'threads of each', wholeFrom(1), 1)
    .option('--job-key <text>', JOB_KEY_HELP)
    .option('--page <file>', 'write a page with pictures, errors and sizes of all results')
    .addOption(
      new Option('--emit <manager>', 'write a template for a farm manager instead').choices(['slurm', 'k8s', 'openjd']),
    )
    .option('--vary <option=values...>', 'of sweep: an option and its values')
    .option('--parts <n>', 'of split: parts of the weights, which run beside each other', wholeFrom(1), 8)
    .option('--set <option=value...>', 'of sweep and split: an option for all')
    .option('-o, --output <file>', 'of sweep and split: the results; values are put into the name')
    .option('--json', 'print what happens as JSON, one object a line')
    .option('--quiet', 'print errors only')
    .addHelpText('after', EXAMPLES)
    .action(async (words: string[]) =>
      finish(await (Object.hasOwn(WRITERS, words[0]) ? writeBatch(words, command) : endingWith(run(words, command)))),
    );
}

async function run(words: readonly string[], command: Command): Promise<number> {
  const options = command.opts<BatchOptions>();
  if (words.length > 1) throw new UsageError(`one batch at a time; what is '${words[1]}'?`);
  const [file] = words;
  const text = readText(file);
  const jobs = await readBatch(text, file);
  if (options.emit) {
    const ordered = jobs.find(({ after }) => after.length > 0);
    if (ordered)
      throw new UsageError(`'${ordered.id}' comes after others, which templates cannot say; run it by pelt batch`);
    const lines = text
      .split('\n')
      .flatMap((line, k) => (line.trim() && !line.trimStart().startsWith('#') ? [k + 1] : []));
    process.stdout.write(emitTemplate(options.emit, file, lines));
    return 0;
  }
  if (!isEngine(options.engine)) {
    throw new UsageError(`unknown engine '${printable(options.engine)}'; give local, redis://… or postgres://…`);
  }
  const store = await openStore(options.store);
  const { jobs: most, threads, page } = options;
  const engine = await openEngine(options.engine, store, {
    pelt: PELT,
    jobs: most,
    threads,
    limits: limitsOf(options),
    version: version(),
    jobKey: jobKeyOf(options),
  });
  const signal = untilSignal();
  try {
    const failed = await runAndShow(
      jobs,
      {
        engine,
        store,
        files: new NodeFiles(),
        version: version(),
        signal,
        beside: { reads: [file], writes: page === undefined ? [] : [page] },
      },
      { ...options, title: file },
    );
    return signal.aborted ? signalCode(signal) : failed;
  } finally {
    await engine.close();
  }
}

interface WriteOptions {
  readonly vary?: readonly string[];
  readonly set?: readonly string[];
  readonly parts: number;
  readonly output?: string;
}

type Line = Parameters<typeof sweep>[0];

/** What writes a batch, by its word. */
const WRITERS: Readonly<Record<string, (job: Line, options: WriteOptions) => object[] | Promise<object[]>>> = {
  sweep: (job, { vary = [] }) => {
    if (vary.length === 0) throw new UsageError('sweep needs --vary, such as --vary bones=8,12,20');
    return sweep(job, vary.map(readVariation));
  },
  split: (job, { parts }) => splitFit(job, parts),
};

async function writeBatch(words: readonly string[], command: Command): Promise<number> {
  const options = command.opts<WriteOptions>();
  const { set = [], output } = options;
  const [writer, name, ...inputs] = words;
  if (!name || inputs.length === 0)
    throw new UsageError(`${writer} needs a command and its files: pelt batch ${writer} fit rest.obj clip.pc2 …`);
  if (output === undefined) throw new UsageError(`${writer} needs -o, the name of the results`);
  const fixed = Object.fromEntries(
    set
      .map((word) => readVariation(word))
      .map(({ option, values }) => [option, values.length === 1 ? values[0] : values]),
  );
  const lines = await WRITERS[writer]({ command: name, inputs, output, options: fixed }, options);
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
  await readBatch(text, `the ${writer}`);
  writeFileSync(1, text);
  return 0;
}
