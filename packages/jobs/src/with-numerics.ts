import { openNumerics } from '@pelt/math';
import type { Run } from '@pelt/model';
import type { Job } from './job.ts';

/** Runs what needs the kernels, with the job's threads, which end with it. */
export async function withNumerics<T>({ threads, context }: Job, work: (run: Run) => Promise<T>): Promise<T> {
  const numerics = await openNumerics({ threads });
  try {
    return await work({ ...context, numerics });
  } finally {
    numerics.close();
  }
}
