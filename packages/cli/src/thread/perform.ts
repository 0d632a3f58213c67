/**
 * A command's work from its order to its report, in whatever thread: output is staged while it runs, the report joins
 * it, and all is renamed at the end, or nothing is.
 */
import { checkCancelled, type Progress, type RunContext } from '@pelt/model';
import { OutputSet } from '../output/output-set.ts';
import { printableJson } from '../terminal/printable.ts';
import type { Job } from './job.ts';
import type { JobName, JobOrder, Jobs, Report } from './protocol.ts';

/** What the thread tells while it works. */
export interface Listener {
  progress(progress: Progress): void;
  warning(message: string): void;
  temporary(path: string): void;
  committed(): void;
}

type Work<Name extends JobName> = (request: Jobs[Name]['request'], job: Job) => Promise<Jobs[Name]['report']>;

/** Loaded when asked for: readers and solvers are heavy. */
const WORKS: { readonly [Name in JobName]: () => Promise<Work<Name>> } = {
  info: async () => (await import('../jobs/info.ts')).info,
  convert: async () => (await import('../jobs/convert.ts')).convert,
  compare: async () => (await import('../jobs/compare.ts')).compare,
  envelope: async () => (await import('../jobs/envelope.ts')).envelope,
  fit: async () => (await import('../jobs/fit.ts')).fit,
  skeleton: async () => (await import('../jobs/skeleton.ts')).skeleton,
  reduce: async () => (await import('../jobs/reduce.ts')).reduce,
  pose: async () => (await import('../jobs/pose.ts')).pose,
  puppet: async () => (await import('../jobs/puppet.ts')).puppet,
  volume: async () => (await import('../jobs/volume.ts')).volume,
};

export async function perform<Name extends JobName>(
  { name, request, reportFile, cancel }: JobOrder<Name>,
  listener: Listener,
): Promise<Report<Name>> {
  const flag = new Int32Array(cancel);
  const context: RunContext = {
    signal: {
      get aborted() {
        return Atomics.load(flag, 0) !== 0;
      },
    },
    onProgress: (progress) => listener.progress(progress),
  };
  const outputs = new OutputSet((path) => listener.temporary(path));
  const warnings: string[] = [];
  const warn = (message: string) => {
    warnings.push(message);
    listener.warning(message);
  };
  try {
    if (reportFile !== undefined) outputs.reserve(reportFile);
    const work: Work<Name> = await WORKS[name]();
    const own = await work(request, { context, warn, outputs });
    // maxRSS is in kilobytes, on every system.
    const report = { ...own, warnings, peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024) };
    if (reportFile !== undefined) outputs.write(reportFile, `${printableJson(report, 2)}\n`);
    checkCancelled(context);
    outputs.commit();
    listener.committed();
    return report;
  } catch (error) {
    outputs.discard();
    throw error;
  }
}
