/** A job from its request to its report, wherever files come from and go to. */
import { checkCancelled, type RunContext } from '@pelt/model';
import { COMMANDS, type CommandName, type TableOf } from './commands.ts';
import type { Files } from './files/files.ts';
import { OpenedFiles } from './input/opened-files.ts';
import type { Job, ScanFrames } from './job.ts';
import { MemoryBudget } from './memory/memory-budget.ts';
import { FileGuard } from './outputs/file-guard.ts';
import type { Outputs } from './outputs/outputs.ts';
import type { OpenStreams } from './puppet/live-streams.ts';
import { checkRequest, type JobRequest } from './request/check-request.ts';
import { filesOf } from './request/request-files.ts';
import type { Checked, Table } from './request/table.ts';
import type { SceneDrawer } from './view/draw-scene.ts';

/** Loaded when asked for: readers and solvers are heavy. */
const WORKS = {
  info: async () => (await import('./info/info.ts')).info,
  convert: async () => (await import('./convert/convert.ts')).convert,
  fit: async () => (await import('./fit/fit.ts')).fit,
  skeleton: async () => (await import('./skeleton/skeleton.ts')).skeleton,
  reduce: async () => (await import('./reduce/reduce.ts')).reduce,
  sliders: async () => (await import('./sliders/sliders.ts')).sliders,
  envelope: async () => (await import('./envelope/envelope.ts')).envelope,
  volume: async () => (await import('./volume/volume.ts')).volume,
  puppet: async () => (await import('./puppet/puppet.ts')).puppet,
  clean: async () => (await import('./clean/clean.ts')).clean,
  pose: async () => (await import('./pose/pose.ts')).pose,
  compare: async () => (await import('./compare/compare.ts')).compare,
  study: async () => (await import('./study/study.ts')).study,
  view: async () => (await import('./view/view.ts')).view,
} satisfies { [C in CommandName]: () => Promise<(request: Checked<TableOf<C>>, job: Job) => Promise<object>> };

/** What a job tells when it is done: its own figures, and whatever was mended, skipped or lost. */
export type Report<C extends CommandName> = Awaited<ReturnType<Awaited<ReturnType<(typeof WORKS)[C]>>>> & {
  readonly warnings: readonly string[];
  /** Memory that the job was expected to need at its peak, where its input was known before it was read. */
  readonly expectedMegabytes?: number;
};

export interface JobHost extends RunContext {
  readonly files: Files;
  readonly outputs: Outputs;
  /** Files that the host itself writes when the job is done, such as a report; none may be an input or an output of the job. */
  readonly alsoWrites?: readonly string[];
  /** Scans OBJ frames in threads of the host; without it they are read one after the other. */
  readonly scanFrames?: ScanFrames;
  /** Draws scenes; without it `view` is refused. */
  readonly drawScene?: SceneDrawer;
  /** Opens streams; without it a live performance is refused. */
  readonly openStreams?: OpenStreams;
  /** Files that whoever runs the job has opened already, for them not to be parsed again. */
  readonly opened?: OpenedFiles;
  /** Bytes of memory that the job may use; it is refused before it starts where it would need more. Absent: any. */
  readonly memory?: number;
  /** Whether the result may depend on nothing but the request and its files; memory then only decides whether it is run. */
  readonly portable?: boolean;
  /** Told of warnings as they come. */
  readonly onWarning?: (message: string) => void;
  /** Most threads to use; the result does not depend on it. */
  readonly threads?: number;
}

/**
 * Runs a job: checks the request, does the work, and writes to `outputs`; making visible what was written, or throwing it away, is
 * left to the host.
 *
 * @throws UsageError where the request makes no sense, and the other errors of @pelt/model
 * @example
 * {@includeCode ../examples/run-job.ts}
 */
export async function runJob<C extends CommandName>(request: JobRequest<C>, host: JobHost): Promise<Report<C>> {
  const { command, checked } = await checkRequest(request);
  const warnings: string[] = [];
  const { scanFrames, drawScene, openStreams, signal, onProgress, onSnapshot, threads = 1, memory } = host;
  const table: Table = await COMMANDS[command].table();
  const named = filesOf(table, checked);
  const budget = new MemoryBudget(command, table, checked, { limit: memory, threads });
  const { files, outputs } = new FileGuard(host.files, host.outputs, named, host.alsoWrites);
  const job: Job = {
    files,
    outputs,
    scanFrames,
    drawScene,
    openStreams,
    opened: host.opened ?? new OpenedFiles(),
    expectFrames: (n, S) => budget.expect(n, S),
    hasRoomFor: (n, S) => budget.hasRoomFor(n, S),
    expectChunks: (n, S, sample) => budget.expectChunks(n, S, sample),
    portable: host.portable ?? false,
    context: { signal, onProgress, onSnapshot },
    threads,
    warn: (message) => {
      // A file that is read twice has its fault once.
      if (warnings.includes(message)) return;
      warnings.push(message);
      host.onWarning?.(message);
    },
  };
  const work = (await WORKS[command]()) as (request: Checked<Table>, job: Job) => Promise<object>;
  const report = await work(checked, job);
  checkCancelled(job.context);
  const { expectedMegabytes } = budget;
  return { ...report, ...(expectedMegabytes !== undefined && { expectedMegabytes }), warnings } as Report<C>;
}
