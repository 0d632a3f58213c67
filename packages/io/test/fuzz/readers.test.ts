/**
 * Every reader on mutated files: a valid result or an error of one line, in bounded time and memory, whatever the bytes.
 * Seeded, so that a failure can be run again; `PELT_FUZZ=100000` runs as many inputs per format. `npm run fuzz` looks for
 * inputs that reach further into the readers.
 */
import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { corpusOf } from './corpus.ts';
import { fuzzGuided, problemOf } from './guided.ts';
import { fuzzTargets, mutantsOf, type Target } from './targets.ts';

const INPUTS = Number(process.env.PELT_FUZZ ?? 2000);
const MOST_MEGABYTES = 512;

const targets = await fuzzTargets();

async function fuzz(target: Target): Promise<void> {
  const random = new Random(20_240_229);
  const before = process.resourceUsage().maxRSS;
  const mutants = target.seeds.flatMap((seed) => mutantsOf(target, seed));
  let fine = 0;
  const read = async (bytes: Uint8Array) => {
    await target.read(bytes);
    fine++;
  };
  const inputs = INPUTS / (target.cost ?? 1);
  for (let k = 0; k < inputs; k++)
    expect(await problemOf({ read }, mutants[k % mutants.length](random)), `input ${k}`).toBeUndefined();
  expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(MOST_MEGABYTES);
  // Mutants that are all refused at the first byte would test nothing.
  expect(fine).toBeGreaterThan(inputs / 50);
}

describe('good files', () => {
  it.each(Object.keys(targets))('%s', async (name) => {
    for (const seed of targets[name].seeds) await targets[name].read(seed);
  });
});

describe('mutated files', () => {
  it.each(Object.keys(targets))('%s', (name) => fuzz(targets[name]));
});

describe('inputs that guided fuzzing has kept', () => {
  it.each(Object.keys(targets))('%s', async (name) => {
    for (const [k, input] of corpusOf(name).entries())
      expect(await problemOf(targets[name], input), `input ${k}`).toBeUndefined();
  });
});

describe('guided fuzzing', () => {
  it('reaches what seeds do not, and finds what is behind three checks', async () => {
    // A reader of its own, in this file, would not count: coverage is that of the sources.
    const planted: Target = {
      ...targets.OBJ,
      read: (bytes) => {
        const mesh = targets.OBJ.read(bytes) as { positions: Float32Array; triangles: Uint32Array } | undefined;
        if (mesh && mesh.triangles.length > 21) throw new TypeError('planted');
      },
    };
    const { blocks, fromSeeds, kept, findings, inputs } = await fuzzGuided(planted, {
      seconds: 2,
      seed: 1,
      corpus: [],
    });
    expect(inputs).toBeGreaterThan(20);
    expect(kept.length).toBeGreaterThan(0);
    expect(blocks).toBeGreaterThan(fromSeeds);
    expect(findings.every(({ problem }) => problem.includes('planted'))).toBe(true);
  });
});
