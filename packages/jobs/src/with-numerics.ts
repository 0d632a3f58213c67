import { type Numerics, openNumerics } from '@pelt/math';
import type { Job } from './job.ts';

/** Runs what needs the kernels, with the job's threads, which end with it. */
export async function withNumerics<T>({ threads }: Job, work: (numerics: Numerics) => Promise<T>): Promise<T> {
  const numerics = await openNumerics({ threads });
  try {
    return await work(numerics);
  } finally {
    numerics.close();
  }
}
