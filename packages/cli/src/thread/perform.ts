/**
 * A job on the files of this machine, in whatever thread: its output is staged beside its targets, and the report with
 * it. To rename them is left to the thread that owns the signals, so that nothing comes between two renames.
 */

import { availableParallelism, totalmem } from 'node:os';
import { NodeFiles } from '@pelt/farm/files';
import { type JobHost, type JobRequest, runJob } from '@pelt/jobs';
import { checkCancelled } from '@pelt/model';
import { drawScene } from '../files/scene-drawer.ts';
import { OutputSet } from '../output/output-set.ts';
import { printableJson } from '../terminal/printable.ts';
import type { Done, JobMessage, JobOrder } from './protocol.ts';
import { frameScanner } from './scan-frames.ts';

/** @param post  told of what happens while it works */
export async function perform(
  { request, threads, memory = machineMemory(), portable = false, reportFile, cancel }: JobOrder,
  post: (message: JobMessage) => void,
): Promise<Done> {
  const flag = new Int32Array(cancel);
  const outputs = new OutputSet((path) => post({ type: 'temporary', path }));
  const host: JobHost = {
    files: new NodeFiles(),
    outputs,
    ...(reportFile !== undefined && { alsoWrites: [reportFile] }),
    drawScene,
    // Loaded only when asked for: it brings sockets with it.
    openStreams: async (...streams) => (await import('../live/open-streams.ts')).openStreams(...streams),
    scanFrames: frameScanner(threads ?? availableParallelism()),
    threads,
    memory,
    portable,
    signal: {
      get aborted() {
        return Atomics.load(flag, 0) !== 0;
      },
    },
    onProgress: (progress) => post({ type: 'progress', progress }),
    onWarning: (message) => post({ type: 'warning', message }),
  };
  try {
    if (reportFile !== undefined) outputs.reserve(reportFile);
    const own = await runJob(request as JobRequest, host);
    // maxRSS is in kilobytes, on every system.
    const report = { ...own, peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024) };
    if (reportFile !== undefined) outputs.write(reportFile, `${printableJson(report, 2)}\n`);
    checkCancelled(host);
    return { report, staged: outputs.staged };
  } catch (error) {
    outputs.discard();
    throw error;
  }
}

/** Bytes of memory that there are: of the machine, or fewer where a container or a resource limit says so. */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
