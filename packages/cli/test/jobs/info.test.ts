import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poserExtension, readGltf, readRig, writeSkinnedGlb } from '@pelt/io';
import { buildPoser } from '@pelt/skin';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scene, writeFixtures } from '../fixtures.ts';
import { performHere } from '../perform-here.ts';
import { scratchFolder } from '../scratch-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'pelt-info-'));
const at = (...names: string[]) => names.map((name) => join(folder, name));
const vertices = scene.sequence.rest.positions.length / 3;
const triangles = scene.sequence.rest.triangles.length / 3;
beforeAll(() => writeFixtures(folder));
afterAll(() => rmSync(folder, { recursive: true }));

describe('info', () => {
  const describeFiles = async (...names: string[]) => (await performHere('info', { files: at(...names) })).report.files;

  it('says what is in each file', async () => {
    const [obj, pc2, mdd, skinned, morph, frames] = await describeFiles(
      'rest.obj',
      'clip.pc2',
      'clip.mdd',
      'character.glb',
      'morph.glb',
      'frames',
    );
    expect(obj).toMatchObject({ format: 'obj', vertices, triangles, frames: 1, warnings: [] });
    expect(pc2).toMatchObject({ format: 'pc2', vertices, frames: 12 });
    expect(pc2.triangles).toBeUndefined();
    expect(mdd).toMatchObject({ format: 'mdd', vertices, frames: 12, seconds: expect.closeTo(11 / 30, 5) });
    expect(skinned).toMatchObject({ format: 'glb', vertices, triangles, joints: 3, frames: 12 });
    expect(skinned.clips).toEqual([{ name: 'swing', frames: 12, seconds: expect.closeTo(11 / 30, 5) }]);
    expect(morph).toMatchObject({ joints: 0, morphTargets: 12, frames: 12 });
    expect(frames).toMatchObject({ format: 'obj frames', vertices, triangles, frames: 12 });
    expect(obj.bounds.max[0]).toBeCloseTo(1.2, 6);
    expect(obj.bounds.min[0]).toBe(0);
  });

  it('reads the real bytes, not the name', async () => {
    writeFileSync(join(folder, 'liar.obj'), readFileSync(join(folder, 'character.glb')));
    expect((await describeFiles('liar.obj'))[0].format).toBe('glb');
  });

  it('reports as a file too', async () => {
    const file = join(scratchFolder(), 'report.json');
    const { report } = await performHere('info', { files: at('rest.obj') }, file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(report);
    expect(report.peakMegabytes).toBeGreaterThan(10);
  });

  it('describes a motion by its joints', async () => {
    expect((await describeFiles('walk.bvh'))[0]).toEqual({
      file: join(folder, 'walk.bvh'),
      format: 'bvh',
      bytes: expect.any(Number),
      frames: 4,
      seconds: expect.closeTo(0.1, 5),
      joints: 2,
      bounds: { min: [0, 0, 0], max: [0, 2, 0] },
      warnings: [],
    });
  });

  it('names what a character has learnt', async () => {
    const saved = join(scratchFolder(), 'poser.glb');
    const asset = await readGltf(readFileSync(join(folder, 'character.glb')), { name: 'character.glb' });
    const { rig, clips } = readRig(asset);
    const extensions = [poserExtension(buildPoser({ rig, clip: clips[0] }))];
    writeFileSync(saved, (await writeSkinnedGlb({ rig, clips, extensions })).bytes);
    const [character, poser] = (await performHere('info', { files: [...at('character.glb'), saved] })).report.files;
    expect(character.learnt).toBeUndefined();
    expect(poser.learnt).toEqual(['poser']);
  });
});
