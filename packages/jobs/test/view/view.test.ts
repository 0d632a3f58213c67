import { bakeSequence, readGltf } from '@pelt/io';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DrawnScene, SceneDrawer, ViewFormat } from '../../src/view/draw-scene.ts';
import { lighter } from '../../src/view/grid-positions.ts';
import { poseSubject } from '../../src/view/pose-subject.ts';
import type { ViewScene } from '../../src/view/scene.ts';
import { chainFiles } from '../chain-files.ts';
import { Workspace } from '../workspace.ts';

let space: Workspace;
beforeAll(async () => {
  space = new Workspace(await chainFiles());
});

/** Draws nothing, and keeps what it should have drawn. */
class Sketch implements SceneDrawer {
  scene!: ViewScene;
  format!: ViewFormat;

  async requireFormat(): Promise<void> {}

  async draw(scene: ViewScene, format: ViewFormat): Promise<DrawnScene> {
    Object.assign(this, { scene, format });
    return { bytes: Uint8Array.of(1, 2, 3) };
  }
}

async function scene(inputs: readonly string[], output: string, options: object = {}) {
  const drawScene = new Sketch();
  const { report } = await space.run({ command: 'view', inputs, output, options }, { drawScene });
  return { report, scene: drawScene.scene };
}

describe('view', () => {
  it('shows what it was given, in the first frame', async () => {
    const { report, scene: shown } = await scene(['rest.obj', 'clip.pc2'], 'out.png');
    expect(report.output).toEqual({ file: 'out.png', bytes: 3 });
    expect(shown.subjects).toHaveLength(1);
    expect(shown.picture).toMatchObject({ columns: 1, shots: [{ frame: 0 }], film: undefined });
    // Only the frame that is drawn goes to the page.
    expect(shown.subjects[0].clips[0].times).toHaveLength(1);
  });

  it('poses a rig as the file itself plays', async () => {
    const { scene: shown } = await scene(['character.glb'], 'out.png', { frame: [2] });
    const [subject] = shown.subjects;
    expect(subject.rig?.skinned).toBe(true);
    const asset = await readGltf(space.read('character.glb'));
    const { frames } = bakeSequence(asset);
    const size = subject.positions.length;
    const posed = poseSubject(subject, 0, 0, new Float32Array(size));
    for (const [k, value] of posed.entries()) expect(value).toBeCloseTo(frames[size + k], 5);
    // At rest it is the bind pose.
    expect(poseSubject(subject, 0, -1, new Float32Array(size))).toEqual(asset.mesh.positions);
  });

  it('measures the distance to an original, whatever the order of the vertices', async () => {
    await space.run({
      command: 'convert',
      inputs: ['character.glb'],
      output: 'packed.glb',
      options: { compress: 'meshopt' },
    });
    const { report, scene: shown } = await scene(['packed.glb'], 'heat.png', { original: ['character.glb'] });
    const { report: compared } = await space.run({ command: 'compare', inputs: ['character.glb', 'packed.glb'] });
    expect(shown.subjects.map(({ label }) => label)).toEqual(['character.glb', 'packed.glb']);
    expect(report.heat?.[0].rmsPercent).toBeGreaterThan(0);
    expect(report.heat?.[0].rmsPercent).toBeLessThan(2 * compared.error.rmsePercent + 0.01);
    // The frame of the largest error is the one that is pictured.
    expect(shown.picture.shots[0].frame).toBe((report.heat?.[0].frame ?? 0) - 1);
    expect(shown.look.heat).toBeCloseTo(report.heat?.[0].maxPercent ?? 0);
    const same = await scene(['character.glb'], 'heat.png', { original: ['character.glb'] });
    expect(same.report.heat?.[0]).toMatchObject({ rmsPercent: 0, maxPercent: 0 });
  });

  it('puts all clips into a page, on a grid that nobody sees', async () => {
    const { scene: page } = await scene(['rest.obj', 'clip.pc2'], 'page.html');
    const { scene: film } = await scene(['rest.obj', 'clip.pc2'], 'film.mp4');
    const [kept, exact] = [page.subjects[0], film.subjects[0]];
    const [a, b] = [kept, exact].map((subject) =>
      poseSubject(subject, 0, 1, new Float32Array(subject.positions.length)),
    );
    const size = Math.max(...exact.positions) - Math.min(...exact.positions);
    for (const [k, value] of a.entries()) expect(Math.abs(value - b[k])).toBeLessThan(1e-4 * size);
    expect(kept.clips[0].frames).toHaveProperty('step');
    expect(lighter(kept)).toEqual(kept);
    expect(film.picture.film).toMatchObject({ turntable: false });
  });

  it('goes around what does not move', async () => {
    const { scene: still } = await scene(['rest.obj'], 'turn.gif', { seconds: 2, rate: 5 });
    expect(still.picture.film).toEqual({ fps: 5, frames: 10, turntable: true });
    expect(still.subjects[0].clips).toEqual([]);
  });

  it('names files without their folders', async () => {
    space.put('deep/folder/mesh.obj', new TextDecoder().decode(space.read('rest.obj')));
    const { scene: shown } = await scene(['deep/folder/mesh.obj'], 'out.png');
    expect(shown.subjects[0].label).toBe('mesh.obj');
  });

  it.each([
    [['rest.obj'], 'out.png', { turntable: true }, /--turntable is for \.gif, \.mp4, not \.png/],
    [['rest.obj', 'clip.pc2'], 'out.gif', { frame: [1] }, /--frame is for \.png/],
    [['rest.obj', 'clip.pc2'], 'out.png', { frame: [999] }, /no frame 999; it has 1 to \d+/],
    [['rest.obj'], 'out.png', { weights: true }, /--weights is for rigs; 'rest.obj' has no skin/],
    [['rest.obj'], 'out.png', { heatMax: 1 }, /--heat-max is for --original/],
    [['rest.obj'], 'out.png', { from: [0, 0, 0] }, /0,0,0 is not a direction/],
    [['rest.obj'], 'out.jpg', {}, /\.png, \.gif, \.mp4 or \.html/],
  ])('refuses %j as %s with %j', async (inputs, output, options, message) => {
    await expect(scene(inputs, output, options)).rejects.toThrow(message);
  });

  it('is refused where nothing can draw', async () => {
    const request = { command: 'view', inputs: ['rest.obj'], output: 'out.png' } as const;
    await expect(space.run(request)).rejects.toThrow(/nothing here can draw/);
  });
});
