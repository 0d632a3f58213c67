import { writeObj } from '@pelt/io';
import { InputError, type Mesh } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { chainFiles, scene } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await chainFiles());
const vertices = scene.sequence.rest.positions.length / 3;

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
    // the chain is 1.2 long, its enclosing radius 0.6
    expect(error.eRms).toBeCloseTo((1000 * 0.06) / Math.sqrt(3) / 0.6, 1);
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
});
