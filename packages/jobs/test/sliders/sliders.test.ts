import { type FileSliders, glbToFbx, readGltf, readRig, readSliders, writeObj, writeSkinnedGlb } from '@pelt/io';
import { KdTree } from '@pelt/math';
import { deformLinear } from '@pelt/skin/blending';
import { SliderBones, sliderTransforms } from '@pelt/skin/sliders';
import { faceShapes } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import type { JobRequest } from '../../src/request/check-request.ts';
import { fitOfFile } from '../../src/sliders/written-fit.ts';
import { face, faceFiles } from '../face-files.ts';
import { edited } from '../matrix/characters.ts';
import { Workspace } from '../workspace.ts';

type SliderOptions = NonNullable<JobRequest<'sliders'>['options']>;

const S = face.names.length;
const recording = (names: readonly string[]) =>
  new TextEncoder().encode(`Timecode,BlendShapeCount,${names.join()}\n10:00:01:58.5,2,0,0\n10:00:02:01.5,2,0.5,1\n`);
const space = new Workspace({
  ...(await faceFiles()),
  'take.csv': recording([face.names[1].toUpperCase(), 'HeadYaw']),
  'body.csv': recording(['HeadYaw', 'HeadPitch']),
});

/** Sliders that were fitted have errors, which transferred ones have not. */
const run = async (inputs: readonly string[], output: string, options: SliderOptions = {}) => {
  const given = { bones: 8, weights: 4, ...options };
  const { report } = await space.run({ command: 'sliders', inputs, output, options: given });
  return { report: report as Required<typeof report> };
};

describe('sliders', () => {
  it('takes a neutral face and a file per shape, and names sliders after them', async () => {
    const { report } = await run(['shapes'], 'out.glb', { rest: 'neutral.obj', unit: 'm' });
    expect(report).toMatchObject({
      input: { sliders: S, vertices: face.mesh.positions.length / 3 },
      bones: 8,
      unit: 'mm',
    });
    expect(report.sliders.map(({ name }) => name).toSorted()).toEqual(face.names.toSorted());
    expect(report.error.rms).toBeGreaterThan(0);
    expect(report.error.rms).toBeLessThan(1);
    expect(report.maps.zeros).toBeGreaterThanOrEqual(0.85);
    const read = readSliders(await readGltf(space.read('out.glb')));
    expect(read?.sliders.names.toSorted()).toEqual(face.names.toSorted());
  });

  it('takes the morph targets of a glTF with the clip that moves them', async () => {
    const { report } = await run(['face.glb'], 'clip.glb', { compress: 'none' });
    expect(report.clips.length).toBe(1);
    const read = readSliders(await readGltf(space.read('clip.glb')));
    const { times, values } = read?.clips[0] ?? { times: [], values: [] };
    expect(times.length).toBe(S);
    // Each shape is fully on in its own frame.
    for (let t = 0; t < S; t++) {
      const row = [...values.slice(t * S, (t + 1) * S)];
      expect(row.filter((value) => value !== 0)).toEqual([1]);
    }
    // The joints play the same clip, for players without the extension.
    const { report: compared } = await space.run({ command: 'compare', inputs: ['face.glb', 'clip.glb'] });
    expect(compared.error.max).toBeLessThan(1.1 * report.error.max * 1e-3);
  });

  it('packs weights so that every slider stays as it was', async () => {
    const { report } = await run(['shapes'], 'packed.glb', { rest: 'neutral.obj', unit: 'm', corrections: false });
    const asset = await readGltf(space.read('packed.glb'));
    const { sliders } = readSliders(asset) as FileSliders;
    const { rig } = readRig(asset);
    const bones = new SliderBones(sliders, rig.bones.length);
    const transforms = new Float64Array(12 * rig.bones.length);
    const posed = new Float32Array(rig.mesh.positions.length);
    // Packing changes the order of the vertices.
    const tree = new KdTree(face.mesh.positions);
    const [nearest, distance] = [new Uint32Array(1), new Float64Array(1)];
    let [sum, count] = [0, 0];
    sliders.names.forEach((name, s) => {
      const values = new Float32Array(S).fill(1, s, s + 1);
      sliderTransforms(bones.update(values), rig.bones, transforms);
      deformLinear(rig.mesh.positions, rig.weights, transforms, posed);
      const first = face.names.indexOf(name) * face.mesh.positions.length;
      for (let k = 0; k < posed.length; k += 3, count++) {
        tree.nearest(rig.mesh.positions, k, 1, nearest, distance);
        for (let c = 0; c < 3; c++) sum += (posed[k + c] - face.shapes[first + 3 * nearest[0] + c]) ** 2;
      }
    });
    expect(1000 * Math.sqrt(sum / count)).toBeLessThan(1.05 * report.error.rms);
  });

  it('plays a recording of the sliders by name', async () => {
    const { report } = await run(['shapes'], 'take.glb', { rest: 'neutral.obj', recording: 'take.csv' });
    expect(report.clips).toEqual(['take']);
    expect(report.warnings.join('\n')).toMatch(
      /no slider is called 'HeadYaw'(?:.|\n)*nothing moves '.* and \d+ others/,
    );
    const { sliders, clips } = readSliders(await readGltf(space.read('take.glb'))) ?? { clips: [] };
    const moved = sliders?.names.indexOf(face.names[1]) ?? -1;
    expect(clips[0].times[1]).toBeCloseTo(3 / 60, 6);
    expect(clips[0].values[S + moved]).toBeCloseTo(0.5, 6);
    await expect(run(['shapes'], 'no.glb', { rest: 'neutral.obj', recording: 'body.csv' })).rejects.toThrow(
      /has none of the sliders: it has 'HeadYaw', 'HeadPitch'/,
    );
  });

  it('takes the blend shapes of an FBX as those of the glTF', async () => {
    space.put('face.fbx', await glbToFbx(space.read('face.glb')));
    const plain = { compress: 'none' } as const;
    const [own, fbx] = [await run(['face.glb'], 'a.glb', plain), await run(['face.fbx'], 'b.glb', plain)];
    expect(fbx.report.input).toMatchObject({ sliders: S, vertices: face.mesh.positions.length / 3 });
    expect(fbx.report.sliders.map(({ name }) => name).toSorted()).toEqual(
      own.report.sliders.map(({ name }) => name).toSorted(),
    );
    expect(fbx.report.error.rms / own.report.error.rms).toBeCloseTo(1, 2);
  });

  it('takes the face of a character with a skin, at rest and alone', async () => {
    const { mesh, names, shapes } = face;
    const n = mesh.positions.length / 3;
    const bone = (name: string, parent: number, y: number) => ({
      name,
      parent,
      rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, y, 0, 0, 1, 0),
    });
    const bones = [bone('hips', -1, 0), bone('head', 0, 0.1)];
    const weights = { slots: 1, bones: new Uint16Array(n).fill(1), weights: new Float32Array(n).fill(1) };
    const deltas = names.map((_, s) => mesh.positions.map((value, k) => shapes[s * mesh.positions.length + k] - value));
    const { bytes } = await writeSkinnedGlb({
      rig: { name: 'hero', mesh, bones, weights },
      clips: [],
      morphs: { deltas, names, weights: [] },
    });
    // A second mesh on the same skin without morph targets: the body.
    const whole = edited(bytes, (json) => {
      const { primitives } = structuredClone(json.meshes[0]);
      for (const primitive of primitives) delete primitive.targets;
      json.meshes.unshift({ name: 'body', primitives });
      for (const node of json.nodes) if (node.mesh !== undefined) node.mesh += 1;
      json.nodes.push({ name: 'body', mesh: 0, skin: 0 });
      json.scenes[0].nodes.unshift(json.nodes.length - 1);
    });
    space.put('hero.glb', whole);
    const plain = { compress: 'none' } as const;
    const [own, hero] = [await run(['face.glb'], 'a.glb', plain), await run(['hero.glb'], 'b.glb', plain)];
    expect(hero.report.input).toMatchObject({ sliders: S, vertices: n });
    expect(hero.report.error.rms / own.report.error.rms).toBeCloseTo(1, 2);
    expect(hero.report.warnings.join()).toContain(
      `the face is taken alone, at rest, without the skin and ${n} vertices beside it; hang it on the bone 'head'`,
    );
    const { mesh: read } = await readGltf(space.read('b.glb'));
    expect(read.triangles.length).toBe(mesh.triangles.length);
  });

  it('uses as few bones as reach an error, and the best within a size', async () => {
    const metres = { rest: 'neutral.obj', unit: 'm', compress: 'none', bones: 40 } as const;
    const loose = await run(['shapes'], 'a.glb', { ...metres, maxError: '0.6mm' });
    const tight = await run(['shapes'], 'b.glb', { ...metres, maxError: '0.05mm' });
    expect(loose.report.bones).toBeLessThan(tight.report.bones);
    expect(loose.report.error.rms).toBeLessThanOrEqual(0.6);
    expect(tight.report.error.rms).toBeLessThanOrEqual(0.05);
    const small = await run(['shapes'], 'c.glb', { rest: 'neutral.obj', budget: '18KB', bones: 16 });
    expect(small.report.output.bytes).toBeLessThanOrEqual(18_000);
    const tiny = await run(['shapes'], 'd.glb', { rest: 'neutral.obj', budget: '1KB', bones: 8 });
    expect(tiny.report.warnings.join()).toMatch(/--budget 1KB is not reached/);
  });

  it('spends what a budget leaves on the worst vertices', async () => {
    const [plain, rich] = [
      await run(['face.glb'], 'a.glb', { compress: 'none' }),
      await run(['face.glb'], 'b.glb', { compress: 'none', budget: '1MB' }),
    ];
    expect(rich.report.output.bytes).toBeLessThanOrEqual(1e6);
    expect(rich.report.corrections).toBeGreaterThan(plain.report.corrections);
    expect(rich.report.error.rms).toBeLessThan(0.5 * plain.report.error.rms);
  });

  it('reports the errors of the file that it wrote', async () => {
    const { report } = await run(['face.glb'], 'out.glb');
    const fit = fitOfFile(await readGltf(space.read('out.glb')));
    expect(fit?.rig.mesh.positions.some((value, k) => value !== face.mesh.positions[k])).toBe(true);
    // The packed file has rounded positions, weights and maps; its bones alone would err less.
    const exact = await run(['face.glb'], 'exact.glb', { compress: 'none' });
    expect(report.error.rms).toBeGreaterThan(exact.report.error.rms);
    expect(report.error.rms).toBeLessThan(1.1 * exact.report.error.rms);
  });

  it('transfers sliders to another mesh, and refuses one that is not such a face', async () => {
    const source = await run(['face.glb'], 'source.glb');
    const other = faceShapes({ step: 0.022 });
    space.put('other.obj', writeObj(other.mesh)[0].bytes);
    const { report } = await run(['other.obj'], 'moved.glb', { transfer: 'source.glb' });
    expect(report).toMatchObject({ input: { sliders: S, vertices: other.mesh.positions.length / 3 }, bones: 8 });
    expect(report.transfer.p90Percent).toBeLessThan(3);
    expect(report.error).toBeUndefined();
    const asset = await readGltf(space.read('moved.glb'));
    expect(readSliders(asset)?.sliders.names).toEqual(source.report.sliders.map(({ name }) => name));
    expect(readSliders(asset)?.clips.length).toBe(1);
    await expect(run(['other.obj'], 'x.glb', { transfer: 'face.glb' })).rejects.toThrow(/has no sliders to transfer/);
    await expect(run(['other.obj'], 'x.glb', { transfer: 'source.glb', budget: '9KB' })).rejects.toThrow(/'budget'/);
  });

  it('adds a pose per slider where engines want them', async () => {
    await run(['shapes'], 'poses.glb', { rest: 'neutral.obj', poses: true, compress: 'none' });
    const { animations } = await readGltf(space.read('poses.glb'));
    expect(animations.map(({ name }) => name).toSorted()).toEqual(face.names.toSorted());
  });

  it('refuses what it cannot do, and says what would help', async () => {
    await expect(run(['shapes'], 'x.glb')).rejects.toThrow(/neutral face as --rest/);
    await expect(run(['neutral.obj'], 'x.glb')).rejects.toThrow(/--rest/);
    await expect(run(['out.glb'], 'x.glb')).rejects.toThrow(/has sliders that bones follow already/);
    await expect(run(['shapes'], 'x.glb', { rest: 'neutral.obj', maxError: '1mm', budget: '9KB' })).rejects.toThrow(
      /give one of them/,
    );
    space.put('names.json', '["one"]');
    await expect(run(['shapes'], 'x.glb', { rest: 'neutral.obj', names: 'names.json' })).rejects.toThrow(/1 names for/);
  });
});
