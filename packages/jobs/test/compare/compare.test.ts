import { writeObj } from '@pelt/io';
import { InputError, type Mesh } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { chainFiles, scene } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await chainFiles());
const vertices = scene.sequence.rest.positions.length / 3;
/** E_RMS of a shift by 0.06 along one axis: the chain is 1.2 long, its enclosing radius 0.6. */
const error06 = (1000 * 0.06) / Math.sqrt(3) / 0.6;

describe('compare', () => {
  const compare = async (...inputs: string[]) => (await space.run({ command: 'compare', inputs })).report;

  it('finds no difference between forms of one animation', async () => {
    const report = await compare('rest.obj', 'clip.pc2', 'frames');
    expect(report).toMatchObject({ vertices, frames: 12, error: { eRms: 0, max: 0, normalAngleDegrees: 0 } });
    expect(report.enveloping).toBeUndefined();
    expect((await compare('clip.mdd', 'scans').catch((error) => error)).message).toContain(
      'holds points without a mesh',
    );
    expect((await compare('frames', 'clip.mdd')).error.eRms).toBe(0);
  });

  it('gives the enveloping error too where the second is a skin', async () => {
    const report = await compare('frames', 'character.glb');
    expect(report.error.eRms).toBeLessThan(0.01);
    expect(report.enveloping?.error).toBeLessThan(0.01);
  });

  it('measures what is really different', async () => {
    const { sequence } = scene;
    const moved = { ...sequence.rest, positions: sequence.rest.positions.map((x, k) => (k % 3 === 1 ? x + 0.06 : x)) };
    space.put('moved.obj', writeObj(moved)[0].bytes);
    const { error } = await compare('rest.obj', 'moved.obj');
    expect(error.max).toBeCloseTo(0.06, 5);
    expect(error.eRms).toBeCloseTo(error06, 1);
  });

  it('leaves copies on seams out of account', async () => {
    // a square of four points whose diagonal is a seam of the texture: six vertices in a glTF
    const seam: Mesh = {
      name: 'square',
      positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]),
      triangles: new Uint32Array([0, 1, 2, 1, 3, 2]),
      uvs: {
        size: 2,
        values: new Float32Array(12).map((_, k) => k / 12),
        indices: new Uint32Array([0, 1, 2, 3, 4, 5]),
      },
    };
    space.put('seam.obj', writeObj(seam)[0].bytes);
    await space.run({ command: 'convert', inputs: ['seam.obj'], output: 'seam.glb' });
    expect(await compare('seam.obj', 'seam.glb')).toMatchObject({
      vertices: 4,
      b: { vertices: 6 },
      error: { eRms: 0 },
    });
    expect(await compare('seam.glb', 'seam.obj')).toMatchObject({
      vertices: 6,
      matched: 'corners',
      error: { eRms: 0 },
    });
    await expect(compare('seam.glb', 'rest.obj')).rejects.toThrow(
      /has 6 vertices and .* has \d+, and they are not at the same places; only animations of one mesh/,
    );
  });

  it('names what does not compare', async () => {
    await expect(compare('frames', 'rest.obj')).rejects.toThrow(InputError);
    await expect(compare('frames', 'rest.obj')).rejects.toThrow(/has 12 frames and .* has 1/);
    await expect(compare('frames')).rejects.toThrow('two animations are compared, but 1 are given');
    await expect(compare('frames', 'scans', 'baked')).rejects.toThrow('but 3 are given');
  });

  describe('--fail-over', () => {
    const judge = async (options: object, inputs = ['frames', 'character.glb']) =>
      (await space.run({ command: 'compare', inputs, options })).report;

    it('is absent without limits', async () => expect((await judge({})).limits).toBeUndefined());

    it('sets limits of error and size, in whatever unit', async () => {
      const { error, b, limits } = await judge({ failOver: [0.5, '3mm', '1mm', '2MB', '1KB'] });
      expect(error.eRms).toBeLessThan(0.5);
      expect(limits?.map(({ of, asked, exceeded }) => [of, asked, exceeded])).toEqual([
        ['error', '0.5', false],
        ['error', '3mm', false],
        ['error', '1mm', false],
        ['bytes', '2MB', false],
        ['bytes', '1KB', true],
      ]);
      expect(Number.parseFloat(limits?.[4].reached ?? '')).toBeCloseTo(b.bytes / 1000, 1);
    });

    it('finds an error that is too large', async () => {
      const positions = scene.sequence.rest.positions.map((x, k) => (k % 3 === 1 ? x + 0.06 : x));
      space.put('shifted.obj', writeObj({ ...scene.sequence.rest, positions })[0].bytes);
      const failOver = ['1mm', error06 / 2, error06 * 2];
      const { limits, error } = await judge({ failOver }, ['rest.obj', 'shifted.obj']);
      expect(error.eRms).toBeCloseTo(error06, 1);
      expect(limits?.map(({ exceeded }) => exceeded)).toEqual([true, true, false]);
      // 6 cm along one axis, at every vertex
      expect(limits?.[0].reached).toBe('60.0mm');
    });

    it('measures growth over an earlier report', async () => {
      const before = await judge({});
      const { eRms } = before.error;
      const put = (report: object) => space.put('before.json', new TextEncoder().encode(JSON.stringify(report)));
      const exceeded = async () =>
        (await judge({ failOver: ['5%'], baseline: 'before.json' })).limits?.map((limit) => limit.exceeded);
      put(before);
      expect(await exceeded()).toEqual([false, false]);
      put({ ...before, error: { eRms: eRms / 1.04 }, b: { bytes: before.b.bytes / 1.04 } });
      expect(await exceeded()).toEqual([false, false]);
      put({ ...before, error: { eRms: eRms / 1.06 } });
      expect(await exceeded()).toEqual([true, false]);
      put({ ...before, b: { bytes: before.b.bytes / 1.06 } });
      expect(await exceeded()).toEqual([false, true]);
      put({ some: 'thing else' });
      await expect(exceeded()).rejects.toThrow(/'before.json'.*a report of pelt compare/);
    });

    it('refuses what makes no sense', async () => {
      await expect(judge({ failOver: ['5%'] })).rejects.toThrow(/give the report of before as --baseline/);
      await expect(judge({ baseline: 'before.json' })).rejects.toThrow(/--baseline is for --fail-over/);
      await expect(judge({ failOver: ['1KB'], baseline: 'character.glb' })).rejects.toThrow(InputError);
      await expect(judge({ failOver: ['9m'] })).rejects.toThrow(/--fail-over 9m is more than the model/);
      await expect(judge({ failOver: ['5 parsecs'] })).rejects.toThrow(/a size such as 400KB/);
      await expect(judge({ failOver: [] })).rejects.toThrow();
    });
  });
});
