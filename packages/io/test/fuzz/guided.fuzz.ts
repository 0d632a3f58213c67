/**
 * Every reader, for a share of the time each: `npm run fuzz`. PELT_FUZZ_SECONDS is the processor time in total, 120 unless
 * given; 0 goes on for ever. PELT_FUZZ_KEEP=1 adds what reached new code to the corpora.
 */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpusOf, corpusPath } from './corpus.ts';
import { type FuzzResult, fuzzGuided } from './guided.ts';
import { fuzzTargets } from './targets.ts';

const SECONDS = Number(process.env.PELT_FUZZ_SECONDS ?? 120);
const KEEP = process.env.PELT_FUZZ_KEEP === '1';
/** Inputs that a corpus may have; they are read in every run of the tests. */
const MOST_KEPT = 60;
const MOST_BYTES = 3000;

const targets = await fuzzTargets();
const names = Object.keys(targets);
const share = SECONDS === 0 ? 60 : SECONDS / names.length;

async function run(name: string, round: number): Promise<FuzzResult> {
  const result = await fuzzGuided(targets[name], { seconds: share, seed: round, corpus: corpusOf(name) });
  const { inputs, blocks, fromSeeds, kept, findings } = result;
  process.stdout.write(
    `${name}: ${inputs} inputs, ${fromSeeds} blocks by seeds, ${blocks} in all, ${kept.length} kept\n`,
  );
  for (const { input, problem } of findings)
    process.stdout.write(`  ${problem}\n  ${Buffer.from(input).toString('base64')}\n`);
  if (KEEP) {
    const small = [...corpusOf(name), ...kept.filter(({ length }) => length <= MOST_BYTES)].slice(0, MOST_KEPT);
    writeFileSync(
      corpusPath(name),
      `${JSON.stringify(
        small.map((input) => Buffer.from(input).toString('base64')),
        undefined,
        2,
      )}\n`,
    );
  }
  return result;
}

describe('guided by coverage', () => {
  it.each(names)('%s', async (name) => {
    const { findings } = await run(name, Number(process.env.PELT_SEED ?? 1));
    expect(findings.map(({ problem }) => problem)).toEqual([]);
  });

  it.runIf(SECONDS === 0)('all of them, for ever', async () => {
    for (let round = 2; ; round++) {
      for (const name of names) expect((await run(name, round)).findings.map(({ problem }) => problem)).toEqual([]);
    }
  });
});
