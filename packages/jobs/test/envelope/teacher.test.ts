import { readGltf, readObj } from '@pelt/io';
import { UsageError } from '@pelt/model';
import { playerOf } from '@pelt/skin/play/runtime';
import { describe, expect, it } from 'vitest';
import { characterOf } from '../../src/input/asset-motion.ts';
import type { JobRequest } from '../../src/request/check-request.ts';
import { bodyFiles } from '../body-files.ts';
import { Workspace } from '../workspace.ts';

const space = new Workspace(await bodyFiles());
// The same mesh elsewhere in its order would be another: half as large again, it is not that of the rig.
const mesh = readObj(space.read('body.obj'), { name: 'body.obj' });
const lines = Array.from({ length: mesh.positions.length / 3 }, (_, i) => {
  const [x, y, z] = mesh.positions.subarray(3 * i, 3 * i + 3);
  return `v ${x} ${1.5 * y} ${1.5 * z}`;
});
for (let k = 0; k < mesh.triangles.length; k += 3) {
  lines.push(`f ${[...mesh.triangles.subarray(k, k + 3)].map((i) => i + 1).join(' ')}`);
}
space.put('thick.obj', lines.join('\n'));
const thick = readObj(space.read('thick.obj'), { name: 'thick.obj' }).positions;

const learn = (inputs: string[], options: JobRequest<'envelope'>['options'] = {}) =>
  space.run({
    command: 'envelope',
    inputs,
    output: 'taught.glb',
    options: { teacher: 'volume', poses: 8, heldOut: 3, ...(!options.predictor && { proxies: 12 }), ...options },
  });

describe('envelope --teacher volume', () => {
  it('learns a solid from a skinned mesh alone, and keeps its file', { timeout: 60_000 }, async () => {
    const { report } = await learn(['character.glb']);
    const { leftOut, weights, volume } = report.taught ?? {};
    expect(weights).toBe('rig');
    expect(volume).toBeGreaterThan(0.97);
    if (!leftOut) throw new Error('no poses were left out');
    expect(leftOut.learnt).toBeLessThan(0.35 * leftOut.linear);
    expect(leftOut.learnt).toBeLessThan(0.5 * leftOut.dualQuaternion);
    expect(report.heldOut?.frames).toBe(3);
    const asset = await readGltf(space.read('taught.glb'), { name: 'taught.glb' });
    const character = characterOf(asset, 'taught.glb');
    expect(character.skin.kind).toBe('envelope');
    expect(character.clips.map(({ name }) => name)).toEqual(['bend']);
    const still = Float64Array.from(character.joints.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]));
    const out = playerOf(character).positions(still, undefined, new Float32Array(character.mesh.positions.length));
    character.mesh.positions.forEach((value, k) => {
      expect(Math.abs(out[k] - value)).toBeLessThan(0.02);
    });
  });

  it('finds weights for a mesh without a rig of its own', { timeout: 60_000 }, async () => {
    const { report } = await learn(['thick.obj'], { rig: 'character.glb', predictor: 'ssd', poses: 4, heldOut: 1 });
    expect(report.taught?.weights).toBe('found');
    const asset = await readGltf(space.read('taught.glb'), { name: 'taught.glb' });
    const { joints, clips, mesh: written } = characterOf(asset, 'taught.glb');
    expect([joints.length, clips.length, written.positions]).toEqual([3, 1, thick]);
  });

  it('refuses what does not go with it', async () => {
    await expect(learn(['character.glb', 'body.obj'])).rejects.toThrow(/one input, the mesh/);
    await expect(learn(['character.glb'], { fps: 24 })).rejects.toThrow(/--fps is for frames/);
    await expect(learn(['character.glb'], { train: [1] })).rejects.toThrow(/--train needs frames/);
    await expect(learn(['character.glb'], { teacher: 'none' })).rejects.toThrow(UsageError);
    const request = { command: 'envelope' as const, inputs: ['character.glb'], output: 'x.glb' };
    await expect(space.run(request)).rejects.toThrow(/give examples, or --teacher volume/);
  });
});
