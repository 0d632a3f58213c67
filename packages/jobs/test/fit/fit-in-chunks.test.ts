import { CancelledError, InputError, UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { wantsChunks } from '../../src/fit/chunks/fit-in-chunks.ts';
import { decodeBones } from '../../src/fit/chunks/part-file.ts';
import type { OpenedClips } from '../../src/input/load-clips.ts';
import type { Job } from '../../src/job.ts';
import type { JobRequest } from '../../src/request/check-request.ts';
import type { JobHost } from '../../src/run-job.ts';
import { chainFiles } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

type FitOptions = NonNullable<JobRequest<'fit'>['options']>;

const space = new Workspace(await chainFiles());
const CACHE = ['rest.obj', 'clip.pc2'];
const fit = async (inputs: readonly string[], output: string, options: FitOptions = {}, host?: Partial<JobHost>) =>
  (await space.run({ command: 'fit', inputs, output, options: { bones: 3, ...options } }, host)).report;
const compare = async (...inputs: string[]) => (await space.run({ command: 'compare', inputs })).report;
const CHUNKS: FitOptions = { chunk: 20, sampleVertices: 60 };

describe('a fit in chunks', () => {
  it.each([
    ['a cache', CACHE, {}],
    ['a cache, with affine bones', ['rest.obj', 'clip.mdd'], { method: 'affine' }],
    ['files', ['frames'], {}],
    ['an archive', ['clip.abc'], { restPose: 'keep' }],
    ['morph targets', ['morph.glb'], { compress: 'meshopt' }],
  ] as const)('of %s is as good as one of the whole, and its error is that of the file', async (_, inputs, options) => {
    const whole = await fit(inputs, 'whole.glb', options);
    const report = await fit(inputs, 'chunks.glb', { ...CHUNKS, ...options });
    expect(report.sampledVertices?.vertices).toBe(60);
    expect(report.error.eRms).toBeLessThan(Math.max(1, 1.2 * whole.error.eRms));
    const { error, frames } = await compare(...inputs, 'chunks.glb');
    expect(frames).toBe(12);
    if (!('compress' in options)) expect(error.eRms).toBeCloseTo(report.error.eRms, 2);
  });

  it('gives the same bytes whatever the chunk', async () => {
    await fit(CACHE, 'a.glb', CHUNKS);
    await fit(CACHE, 'b.glb', { ...CHUNKS, chunk: 'auto' });
    expect(space.read('b.glb')).toEqual(space.read('a.glb'));
  });

  it('keeps clips apart, and plays all frames of a sample', async () => {
    const clip = [
      { name: 'swing', files: ['clip.pc2'] },
      { name: 'back', files: ['clip.mdd'] },
    ];
    const report = await fit(['rest.obj'], 'clips.glb', { ...CHUNKS, clip, sample: 7 });
    expect(report.clips).toEqual(['swing', 'back']);
    expect(report.input.frames).toBe(24);
    const { files } = (await space.run({ command: 'info', inputs: ['clips.glb'] })).report;
    expect(files[0].clips?.map(({ frames }) => frames)).toEqual([12, 12]);
    expect((await compare(...CACHE, 'clips.glb')).error.eRms).toBeLessThan(3);
  });

  it('reaches an error on all vertices, or says that it did not', async () => {
    const report = await fit(CACHE, 'limit.glb', { ...CHUNKS, bones: 12, maxError: 2 });
    expect(report.error.eRms).toBeLessThanOrEqual(2);
    expect(report.limit?.asked).toBe('2');
    await expect(fit(CACHE, 'limit.glb', { ...CHUNKS, bones: 2, maxError: 1e-4 })).rejects.toThrow('above');
  });

  it('keeps locked bones', async () => {
    await fit(CACHE, 'rig.glb');
    const report = await fit(CACHE, 'locked.glb', { ...CHUNKS, lock: 'bones', rig: 'rig.glb' });
    expect(report.error.eRms).toBeLessThan(2);
  });

  it('is chosen where the whole does not fit into memory, and not on a farm', async () => {
    // Frames of the chain are small: what a fit takes by itself is most of its memory.
    const needed = ((await fit(CACHE, 'w.glb')).expectedMegabytes ?? 0) * 2 ** 20;
    const tight = { memory: needed - 2 ** 20 };
    await expect(fit(CACHE, 'auto.glb', {}, { ...tight, portable: true })).rejects.toThrow('--chunk auto');
    await expect(fit(CACHE, 'auto.glb', { smooth: 1 }, tight)).rejects.toThrow(InputError);
    // The sample would be all of so small a mesh.
    await expect(fit(CACHE, 'auto.glb', {}, tight)).rejects.toThrow('fit would need about');
    await expect(fit(CACHE, 'auto.glb', CHUNKS, tight)).rejects.toThrow('in chunks would need about');
  });

  it.each([
    ['is chosen for more vertices than the sample has', 40_000, {}, true],
    ['is not chosen for fewer', 20_000, {}, false],
    ['is not chosen where there is room', 40_000, { hasRoomFor: () => true }, false],
    ['is not chosen on a farm', 40_000, { portable: true }, false],
  ])('%s', (_, n, host, chosen) => {
    const warnings: string[] = [];
    const job = { portable: false, hasRoomFor: () => false, warn: (text: string) => warnings.push(text), ...host };
    const source = { rest: { name: 'large', positions: new Float32Array(3 * n), triangles: new Uint32Array(0) } };
    const opened = { parts: [{ opened: { source, count: 10 } }], all: undefined } as unknown as OpenedClips;
    const request = { options: { method: 'ssdr', smooth: 0 } } as unknown as Parameters<typeof wantsChunks>[0];
    expect(wantsChunks(request, opened, job as unknown as Job)).toBe(chosen);
    expect(warnings).toHaveLength(chosen ? 1 : 0);
  });

  it('refuses what looks at the whole mesh, and can be cancelled', async () => {
    const refused = (options: FitOptions) => expect(fit(CACHE, 'z.glb', { ...CHUNKS, ...options })).rejects;
    await refused({ method: 'sma' }).toThrow('--method sma looks at the whole mesh');
    await refused({ smooth: 1 }).toThrow(UsageError);
    await refused({ eigenskin: 2 }).toThrow('--eigenskin');
    await refused({ root: 'full' }).toThrow('--root');
    await expect(fit(['rest.obj'], 'z.glb', CHUNKS)).rejects.toThrow('single pose');
    const request = { command: 'fit', inputs: CACHE, output: 'z.glb', options: { bones: 3, ...CHUNKS } } as const;
    for (const stage of [/^fitting/, /^solving weights/, /^measuring/]) {
      await expect(space.cancelAt(request, stage)).rejects.toThrow(CancelledError);
    }
  });
});

describe('the stages of a fit in chunks', () => {
  const stages = async (parts: number, options: FitOptions = {}) => {
    await fit(CACHE, 'b.part', { ...CHUNKS, ...options, stage: 'bones' });
    const from = ['b.part'];
    for (let k = 1; k <= parts; k++) {
      from.push(`w${k}.part`);
      await fit(CACHE, `w${k}.part`, { ...CHUNKS, ...options, stage: `${k}/${parts}`, from: ['b.part'] });
    }
    return from;
  };

  it.each<[number, FitOptions]>([
    [1, {}],
    [3, {}],
    [2, { sample: 7 }],
    [2, { restPose: 'keep' }],
  ])('in %i parts give the bytes of one job (%j)', async (parts, options) => {
    const from = await stages(parts, options);
    const report = await fit(CACHE, 'joined.glb', { ...CHUNKS, ...options, stage: 'join', from });
    const alone = await fit(CACHE, 'alone.glb', { ...CHUNKS, ...options });
    expect(space.read('joined.glb')).toEqual(space.read('alone.glb'));
    expect(report.error).toEqual(alone.error);
  });

  it('refuse files that do not belong together', async () => {
    const from = await stages(2);
    const join = (files: readonly string[], options: FitOptions = {}, inputs = CACHE) =>
      expect(fit(inputs, 'j.glb', { ...CHUNKS, ...options, stage: 'join', from: [...files] })).rejects;
    await join(from.slice(0, 2)).toThrow('vertices have no weights');
    await join([...from, 'w1.part']).toThrow('repeats a part');
    await join(['w1.part', 'w2.part']).toThrow('has weights, not bones');
    await join(['rest.obj', 'w1.part']).toThrow('is not a part of a fit');
    await join(from, { sample: 7 }).toThrow('bones of another animation');
    space.put('cut.part', space.read('b.part').slice(0, 500));
    await join(['cut.part', 'w1.part']).toThrow('is damaged');
    // Seeded changes of single bytes, in the header for the most part: a result, or one line.
    let state = 7;
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state % below;
    };
    for (let turn = 0; turn < 200; turn++) {
      const bytes = space.read('b.part').slice();
      for (let change = 0; change < 3; change++) bytes[random(turn % 3 === 0 ? bytes.length : 1500)] = random(256);
      const spoilt = () => decodeBones(bytes, 'b.part');
      try {
        spoilt();
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        expect((error as Error).message).toMatch(/^'b\.part' .*$/);
      }
    }
    await fit(CACHE, 'other.part', { ...CHUNKS, bones: 2, stage: 'bones' });
    await join(['other.part', ...from.slice(1)]).toThrow('weights of other bones');
    await expect(fit(CACHE, 'x.glb', { stage: 'bones' })).rejects.toThrow('writes a .part file');
    await expect(fit(CACHE, 'x.part', { stage: '3/2', from: ['b.part'] })).rejects.toThrow('there are 2 parts');
    await expect(fit(CACHE, 'x.part', { stage: '1/2' })).rejects.toThrow('0 files are given');
    await expect(fit(CACHE, 'x.part', { stage: 'all' })).rejects.toThrow(UsageError);
  });
});
