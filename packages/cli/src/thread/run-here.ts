/**
 * A job in the main thread, without a worker: for commands that write nothing. There is nothing to remove when a signal
 * ends the process, and starting a thread takes longer than most of them do.
 */
import { perform } from './perform.ts';
import { plainError } from './plain-error.ts';
import type { JobOrder } from './protocol.ts';
import type { JobEnd, JobWatcher } from './run-in-worker.ts';

export async function runHere(task: Omit<JobOrder, 'cancel'>, watcher: JobWatcher): Promise<JobEnd> {
  try {
    const { report } = await perform({ ...task, cancel: new SharedArrayBuffer(4) }, (message) => {
      if (message.type === 'progress') watcher.progress(message.progress);
      if (message.type === 'warning') watcher.warning(message.message);
    });
    return { report };
  } catch (error) {
    return { error: plainError(error) };
  }
}
