import { openNumerics } from '@pelt/math';
import { CancelledError, checkCancelled, interruptible, type Run, resolveOptions, stageOf } from '@pelt/model';

const DEFAULTS = { rounds: 10 };

/** A method in the shape that all methods have: `fn(data, options, run)`. */
function relax(data: Float64Array, options: Partial<typeof DEFAULTS>, run: Run): Float64Array {
  const { rounds } = resolveOptions('relax', DEFAULTS, options); // an unknown key throws
  return interruptible(run, () => {
    let result = data;
    for (let round = 0; round < rounds; round++) {
      checkCancelled(run);
      run.onProgress?.({ stage: 'relaxing', fraction: round / rounds });
      result = result.map((x) => x / 2);
    }
    return result;
  });
}

const controller = new AbortController();
const seen: number[] = [];
const numerics = await openNumerics();
const run: Run = { numerics, signal: controller.signal, onProgress: ({ fraction }) => seen.push(fraction) };

// Used as the second half of a longer run, its progress goes from 0.5 to 1.
if (relax(Float64Array.of(8), { rounds: 2 }, stageOf(run, 0.5, 1))[0] !== 2) throw new Error('8 halved twice is 2');
if (seen.join() !== '0.5,0.75') throw new Error(`progress was ${seen}`);

controller.abort();
let cancelled = false;
try {
  relax(Float64Array.of(8), {}, run);
} catch (error) {
  cancelled = error instanceof CancelledError;
}
numerics.close();
if (!cancelled) throw new Error('an aborted run throws a CancelledError');
