/**
 * Coverage-guided fuzzing: inputs that reach new code are kept and mutated further, so that the loop works its way behind
 * the checks of a reader. A small loop over the engine's own coverage, after the idea of AFL.
 *
 * Tried beside it: @jazzer.js/core, a native addon over libFuzzer. It runs more inputs a second, but instruments by a
 * CommonJS hook that does not see our modules, and has no prebuilt binary for every Node that is supported.
 */

import { Random } from '@pelt/math';
import { PeltError } from '@pelt/model';
import { Coverage } from './coverage.ts';
import { mutantsOf, type Target } from './targets.ts';

export interface Finding {
  readonly input: Uint8Array;
  readonly problem: string;
}

export interface FuzzResult {
  readonly inputs: number;
  readonly blocks: number;
  /** Blocks that the seeds alone reach. */
  readonly fromSeeds: number;
  /** What reached something new, the seeds left out. */
  readonly kept: readonly Uint8Array[];
  readonly findings: readonly Finding[];
}

export interface FuzzOptions {
  /** Processor seconds. */
  readonly seconds: number;
  readonly seed: number;
  /** Inputs of earlier runs. */
  readonly corpus: readonly Uint8Array[];
}

const MOST_SECONDS = 2;
const MOST_BYTES = 1 << 16;
/** Mutants of one input before another is taken. */
const ENERGY = 24;

export async function fuzzGuided(target: Target, { seconds, seed, corpus }: FuzzOptions): Promise<FuzzResult> {
  const random = new Random(seed);
  const coverage = new Coverage((url) => /packages\/io\/src\//.test(url));
  const pool: Uint8Array[] = [];
  const kept: Uint8Array[] = [];
  const findings: Finding[] = [];
  const problems = new Set<string>();
  let inputs = 0;
  const tryOne = async (input: Uint8Array): Promise<boolean> => {
    inputs++;
    const problem = await problemOf(target, input);
    // The same problem a thousand times is one.
    const kind = problem?.replaceAll(/\d+/g, '#');
    if (problem !== undefined && kind !== undefined && !problems.has(kind)) {
      problems.add(kind);
      findings.push({ input, problem });
    }
    return (await coverage.take()) > 0;
  };
  await coverage.start();
  const started = process.cpuUsage();
  const spent = () => (process.cpuUsage(started).user + process.cpuUsage(started).system) / 1e6;
  try {
    for (const input of target.seeds) {
      await tryOne(input);
      pool.push(input);
    }
    const fromSeeds = coverage.blocks;
    for (const input of corpus) if (await tryOne(input)) pool.push(input);
    while (spent() < seconds) {
      // The youngest are the nearest to what nobody has reached.
      const recent = random.bits() % 2 === 0 ? Math.max(0, pool.length - 8) : 0;
      const parent = pool[recent + (random.bits() % (pool.length - recent))];
      const mutants = mutantsOf(target, parent);
      for (let k = 0; k < ENERGY && spent() < seconds; k++) {
        const input = mutants[random.bits() % mutants.length](random);
        if (input.length > MOST_BYTES || !(await tryOne(input))) continue;
        pool.push(input);
        kept.push(input);
      }
    }
    return { inputs, blocks: coverage.blocks, fromSeeds, kept, findings };
  } finally {
    await coverage.stop();
  }
}

/** What is wrong with how a reader took an input; undefined where it gave a valid result or refused it in one line. */
export async function problemOf({ read }: Pick<Target, 'read'>, input: Uint8Array): Promise<string | undefined> {
  const started = process.cpuUsage();
  let problem: string | undefined;
  try {
    await read(input);
  } catch (error) {
    if (!(error instanceof PeltError))
      problem = String((error as Error)?.stack ?? error)
        .split('\n')
        .slice(0, 3)
        .join(' ');
    else if (!/^[^\n]{20,}$/.test(error.message)) problem = `a message that is not one line: ${error.message}`;
  }
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6 > MOST_SECONDS ? 'it takes too long' : problem;
}
