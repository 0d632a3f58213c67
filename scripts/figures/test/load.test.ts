import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FrameMeshes, writeObj, writePc2, writePly, writeSkinnedGlb } from '@pelt/io';
import { elbowScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSubjects } from '../load.mjs';

describe('loading what is looked at', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pelt-view-'));
  const at = (name: string) => join(folder, name);
  const { sequence, rig, clip } = elbowScene({ frames: 3 });
  const size = sequence.rest.positions.length;

  beforeAll(async () => {
    writeFileSync(at('rest.obj'), writeObj(sequence.rest)[0].bytes);
    writeFileSync(at('rest.ply'), writePly(sequence.rest));
    writeFileSync(at('clip.pc2'), writePc2(sequence));
    writeFileSync(at('rig.glb'), (await writeSkinnedGlb({ rig, clips: [clip] })).bytes);
    writeFileSync(at('plain.json'), JSON.stringify({ positions: [0, 0, 0], triangles: [], frames: [[1, 1, 1]] }));
    mkdirSync(at('frames'));
    const meshes = new FrameMeshes(sequence);
    [0, 1, 2].forEach((t) => {
      writeFileSync(at(`frames/frame-${t}.obj`), writeObj(meshes.at(t))[0].bytes);
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['rest.obj', 'rest.ply'])('%s is a mesh', async (name) => {
    const [subject, ...others] = await loadSubjects([at(name)]);
    expect(others).toEqual([]);
    expect(subject.mesh.positions).toHaveLength(size);
    expect(subject.frames).toBeUndefined();
  });

  it('a cache joins the mesh before it', async () => {
    const subjects = await loadSubjects([at('rest.ply'), at('rest.obj'), at('clip.pc2')]);
    expect(subjects.map(({ frames }) => frames?.length)).toEqual([undefined, 3 * size]);
    await expect(loadSubjects([at('clip.pc2')])).rejects.toThrow(/name its mesh before it/);
  });

  it('a folder is a sequence', async () => {
    const [{ frames }] = await loadSubjects([at('frames')]);
    expect(frames).toHaveLength(3 * size);
  });

  it('a rigged glTF has bones, weights and their motion', async () => {
    const [subject] = await loadSubjects([at('rig.glb')]);
    expect(subject.bones).toHaveLength(rig.bones.length);
    expect(subject.weights?.weights).toHaveLength((size / 3) * (subject.weights?.slots ?? 0));
    expect(subject.frames).toHaveLength(3 * size);
    expect(subject.transforms).toHaveLength(3 * 12 * rig.bones.length);
  });

  it('JSON is taken as it is', async () => {
    const [{ mesh, frames }] = await loadSubjects([at('plain.json')]);
    expect([...mesh.positions]).toEqual([0, 0, 0]);
    expect([...(frames ?? [])]).toEqual([1, 1, 1]);
  });
});
