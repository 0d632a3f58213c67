import type { Progress } from '@pelt/model';
import { perform } from '../src/thread/perform.ts';
import type { JobName, Jobs, Report } from '../src/thread/protocol.ts';

/** What a job did, run in this thread. */
export interface Performance<Name extends JobName> {
  readonly report: Report<Name>;
  readonly progress: readonly Progress[];
}

export async function performHere<Name extends JobName>(
  name: Name,
  request: Jobs[Name]['request'],
  reportFile?: string,
  onProgress: (progress: Progress, cancel: () => void) => void = () => {},
): Promise<Performance<Name>> {
  const cancel = new SharedArrayBuffer(4);
  const progress: Progress[] = [];
  const report = await perform(
    { name, request, reportFile, cancel },
    {
      progress: (state) => {
        progress.push(state);
        onProgress(state, () => Atomics.store(new Int32Array(cancel), 0, 1));
      },
      warning: () => {},
      temporary: () => {},
      committed: () => {},
    },
  );
  return { report, progress };
}
