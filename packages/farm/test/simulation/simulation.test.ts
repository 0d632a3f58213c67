/** Thousands of schedules of a whole farm, with accidents; what fails shrinks to a few accidents and a short schedule. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACCIDENTS, type Plan, simulateFarm } from './simulated-farm.ts';

/** PELT_SCHEDULES=100000 for a night. */
const SCHEDULES = Number(process.env.PELT_SCHEDULES ?? 2000);

const CALM: Plan = {
  seed: 1,
  wild: 0,
  accidents: [],
  local: false,
  lost: 0,
  doubled: 0,
  clients: 2,
  workers: 2,
  jobs: 2,
};

const plans: fc.Arbitrary<Plan> = fc.record({
  seed: fc.nat(),
  wild: fc.constantFrom(0, 100, 10_000),
  accidents: fc.array(fc.record({ kind: fc.constantFrom(...ACCIDENTS), at: fc.nat(600), which: fc.nat(200) }), {
    maxLength: 6,
  }),
  local: fc.boolean(),
  lost: fc.constantFrom(0, 20, 100),
  doubled: fc.constantFrom(0, 30),
  clients: fc.integer({ min: 1, max: 2 }),
  workers: fc.integer({ min: 1, max: 3 }),
  jobs: fc.integer({ min: 1, max: 2 }),
});

describe('a simulated farm', () => {
  it('runs every job once where nothing happens', async () => {
    const { runs, ends } = await simulateFarm(CALM);
    expect(runs).toBe(CALM.jobs);
    for (const states of ends) expect(states.map(({ state }) => state)).toEqual(expect.not.arrayContaining(['failed']));
  });

  it('takes the same course for the same plan', async () => {
    const plan: Plan = {
      ...CALM,
      seed: 7,
      wild: 10_000,
      lost: 20,
      accidents: [
        { kind: 'worker dies', at: 40, which: 0 },
        { kind: 'power fails', at: 200, which: 0 },
      ],
    };
    const [a, b, c] = [await simulateFarm(plan), await simulateFarm(plan), await simulateFarm({ ...plan, seed: 8 })];
    expect(b.trace).toBe(a.trace);
    expect(c.trace).not.toBe(a.trace);
  });

  it('dies at every step, and every job has its result in the end', async () => {
    for (const kind of ['worker dies', 'client dies', 'power fails'] as const) {
      for (let at = 1; at < 240; at += 2) {
        const { ends } = await simulateFarm({
          ...CALM,
          clients: 1,
          workers: 1,
          jobs: 1,
          accidents: [{ kind, at, which: 0 }],
        });
        expect(ends[0][0].state).toMatch(/^(?:done|cached)$/);
      }
    }
  });

  it(`keeps its promises in ${SCHEDULES} schedules`, async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => void (await simulateFarm(plan))),
      { numRuns: SCHEDULES, seed: Number(process.env.PELT_SEED ?? 1) },
    );
  });

  it('takes no result of an input that was damaged while the job ran', async () => {
    for (let at = 1; at < 150; at++) {
      const accidents = [{ kind: 'bit flips', at, which: 0 }] as const;
      await simulateFarm({ ...CALM, clients: 1, workers: 1, jobs: 1, accidents });
    }
  });

  it('does work twice only where something happened', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { runs } = await simulateFarm({ ...plan, accidents: [], local: false });
        expect(runs).toBe(plan.jobs);
      }),
      { numRuns: 100, seed: 2 },
    );
  });

  it('finds out a store that hands out what it has, and shrinks it to the accident', async () => {
    const trusting = fc.asyncProperty(plans, async (plan) => {
      await simulateFarm(plan, (store) =>
        Object.assign(store, {
          fetch: ({ key }: { key: string }, name: string, path: string) =>
            store.disk.copy(`${store.folder}/objects/${key}/${name}`, path),
        }),
      );
    });
    const { failed, counterexample } = await fc.check(trusting, { numRuns: 3000, seed: 3 });
    expect(failed).toBe(true);
    const kinds = counterexample?.[0].accidents.map(({ kind }) => kind) ?? [];
    expect(kinds.length).toBeLessThanOrEqual(2);
    expect(kinds.some((kind) => kind === 'bit flips' || kind === 'power fails')).toBe(true);
  });
});
