import { readGltf } from '@pelt/io';
import { describe, expect, it } from 'vitest';
import { characterOf } from '../../src/input/asset-motion.ts';
import { bodyFiles } from '../body-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await bodyFiles());
const characterAt = async (path: string) => characterOf(await readGltf(space.read(path), { name: path }), path);
const deform = (input: string, output: string, options: object) =>
  space.run({ command: 'volume', inputs: [input], output, options });

describe('volume --save', () => {
  it('keeps the solid in the file of the rig, which then moves itself', async () => {
    const first = await deform('body.obj', 'first.pc2', { rig: 'character.glb', save: 'solid.glb', bending: 2 });
    expect(first.report.weights).toBe('rig');
    const { body, clips } = await characterAt('solid.glb');
    expect(body?.body.tetrahedra.length).toBe(4 * first.report.body.tetrahedra);
    expect(body?.settings).toEqual({ bending: 2 });
    expect(clips.map(({ name }) => name)).toEqual(['bend']);
    const { report } = await deform('solid.glb', 'again.pc2', {});
    expect([report.weights, report.body.tetrahedra]).toEqual(['saved', first.report.body.tetrahedra]);
    expect(space.read('again.pc2')).toEqual(space.read('first.pc2'));
  });

  it('stays with the vertices when a file is packed, and with other commands', async () => {
    await deform('body.obj', 'first.pc2', { rig: 'character.glb', save: 'solid.glb' });
    await space.run({
      command: 'convert',
      inputs: ['solid.glb'],
      output: 'packed.glb',
      options: { compress: 'meshopt' },
    });
    const { body, mesh } = await characterAt('packed.glb');
    if (!body) throw new Error('the body is lost');
    // Positions are quantised; a vertex that went to another place would be an edge off.
    body.body.surface.forEach((v, i) => {
      for (let c = 0; c < 3; c++) {
        expect(Math.abs(body.body.positions[3 * v + c] - mesh.positions[3 * i + c])).toBeLessThan(0.02);
      }
    });
    const { report } = await deform('packed.glb', 'packed.pc2', {});
    expect(report.weights).toBe('saved');
    expect(report.volume).toBeGreaterThan(0.97);
  });

  it('gives a mesh the joints of a capture', async () => {
    await deform('body.obj', 'x.pc2', { bvh: 'walk.bvh', landmarks: 'joints.json', step: 4, save: 'walking.glb' });
    const { body, joints, clips } = await characterAt('walking.glb');
    expect([joints.length, clips.length, body !== undefined]).toEqual([3, 1, true]);
  });

  it('fills anew where other tetrahedra or constraints are asked for', async () => {
    await deform('body.obj', 'first.pc2', { rig: 'character.glb', save: 'solid.glb' });
    const { report } = await deform('solid.glb', 'x.pc2', { spacing: 1.3 });
    expect(report.weights).toBe('rig');
  });
});
