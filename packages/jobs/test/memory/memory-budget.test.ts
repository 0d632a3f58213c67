import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { COMMANDS, type CommandName } from '../../src/commands.ts';
import { ESTIMATES, type JobSizes } from '../../src/memory/estimates.ts';
import { MemoryBudget } from '../../src/memory/memory-budget.ts';

const SIZES: JobSizes = { vertices: 1e4, frames: 100, positions: 12e6, bones: 20, threads: 4, format: 'glb' };

async function budget(command: CommandName, limit: number | undefined, options: Record<string, unknown> = {}) {
  const checked = { inputs: [], output: 'out.glb', options };
  return new MemoryBudget(command, await COMMANDS[command].table(), checked, { limit, threads: 2 });
}

describe('ESTIMATES', () => {
  it.each(Object.keys(ESTIMATES) as CommandName[])(
    'of %s grow with every size, from that of the program',
    (command) => {
      const estimate = ESTIMATES[command];
      const none = { ...SIZES, vertices: 0, frames: 0, positions: 0, bones: 0, threads: 1 };
      expect(estimate(none)).toBeGreaterThan(50e6);
      expect(estimate(none)).toBeLessThan(120e6);
      for (const key of ['vertices', 'frames', 'positions', 'bones', 'threads'] as const) {
        expect(estimate({ ...SIZES, [key]: 10 * SIZES[key] }), key).toBeGreaterThanOrEqual(estimate(SIZES));
      }
      expect(estimate({ ...SIZES, vertices: 1e6, frames: 1e4, positions: 12e10 })).toBeGreaterThan(
        // Neither has the vertices of all frames in memory.
        command === 'puppet' || command === 'clean' ? 1e9 : 1e11,
      );
    },
  );
});

describe('MemoryBudget', () => {
  it('lets small jobs, and jobs without a limit, be', async () => {
    (await budget('fit', 1e9)).expect(1000, 100);
    (await budget('fit', undefined)).expect(1e7, 1e5);
  });

  it('names what would be needed, what there is, and the most frames that fit', async () => {
    const expectAll = async () => (await budget('fit', 1.5e9, { bones: 20 })).expect(100_000, 2685);
    await expect(expectAll()).rejects.toThrow(InputError);
    const error: Error = await expectAll().catch((thrown) => thrown);
    expect(error.message).toMatch(
      /^fit would need about 3\.\d GB of memory for 2685 frames of 100000 vertices, more than the 1\.5 GB that it may use; fit it in chunks by --chunk auto, read a part of the frames by --sample \d+, or allow more by --memory$/,
    );
    const sample = Number(/--sample (\d+)/.exec(error.message)?.[1]);
    (await budget('fit', 1.5e9, { bones: 20 })).expect(100_000, sample);
    const more = async () => (await budget('fit', 1.5e9, { bones: 20 })).expect(100_000, sample + 1);
    await expect(more()).rejects.toThrow(InputError);
  });

  it('knows what a fit in chunks needs, and what has room as a whole', async () => {
    const huge = await budget('fit', 3e9, { bones: 20 });
    expect(huge.hasRoomFor(2_700_000, 48)).toBe(false);
    expect(huge.hasRoomFor(42_000, 48)).toBe(true);
    huge.expectChunks(2_700_000, 48, 30_000);
    const tight = await budget('fit', 1e9);
    expect(() => tight.expectChunks(2_700_000, 48, 30_000)).toThrow(
      /^fit in chunks would need about \d\.\d GB of memory for 2700000 vertices, more than the 1\.0 GB/,
    );
    expect((await budget('fit', undefined)).hasRoomFor(1e9, 1e3)).toBe(true);
  });

  it('adds up the animations of a job', async () => {
    const two = await budget('compare', 1e9);
    two.expect(100_000, 500);
    expect(() => two.expect(100_000, 500)).toThrow('compare would need about 1.3 GB of memory for 1000 frames');
  });

  it('says otherwise where no number of frames would help, or can be chosen', async () => {
    const mesh = async () => (await budget('fit', 1e8)).expect(1e6, 100);
    await expect(mesh()).rejects.toThrow('use a smaller mesh, or allow more by --memory');
    const rig = async () => (await budget('reduce', 1e8)).expect(1e4, 1000);
    await expect(rig()).rejects.toThrow('give fewer frames, or allow more by --memory');
  });

  it('expects nothing before it knows the input', async () => {
    const fresh = await budget('fit', undefined);
    expect(fresh.expectedMegabytes).toBeUndefined();
    fresh.expect(1000, 10);
    expect(fresh.expectedMegabytes).toBeGreaterThan(50);
  });
});
