/** The recipes of the guide, from files that are made here to what they promise. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGltf, readObj, readPc2, readSliders } from '@pelt/io';
import { boundsOf } from '@pelt/model';
import { Box3, type SkinnedMesh, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonOf } from '../../io/test/gltf/glb-json.ts';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { commandsOf, pages, root } from './pages.ts';
import {
  face,
  writeAssetFiles,
  writeAvatarFiles,
  writeClothFiles,
  writeFaceFiles,
  writeGeneratedFiles,
  writePoseFiles,
  writeScanFiles,
} from './recipe-files.ts';

/** Runs the commands of a page in a folder. */
async function cook(name: string, folder: string): Promise<void> {
  const page = pageOf(name);
  expect(commandsOf(page, true).length).toBeGreaterThan(0);
  for (const [, ...args] of commandsOf(page, true)) {
    const { code, stderr } = await pelt(args, folder);
    expect(code, `pelt ${args.join(' ')}\n${stderr}`).toBe(0);
  }
}

function pageOf(name: string) {
  const page = pages.find((other) => other.name === `docs/guide/recipes/${name}.md`);
  if (!page) throw new Error(`there is no recipe '${name}'`);
  return page;
}

const read = (...path: string[]) => readFileSync(join(...path));
const sizeOf = (...path: string[]) => statSync(join(...path)).size;

describe('a Blender cloth in three.js', () => {
  const { folder } = fixtureFolder(writeClothFiles);
  beforeAll(() => cook('blender-cloth', folder), 120_000);

  it('is a small file', () => {
    expect(sizeOf(folder, 'cloth-small.glb')).toBeLessThan(sizeOf(folder, 'cloth.pc2') / 2);
  });

  it('plays in three.js by the code of the page', async () => {
    const [{ text }] = pageOf('blender-cloth').blocks.filter(({ language }) => language === 'js');
    const { gltf, mixer } = await runInPage(text, 'gltf, mixer', folder);
    const { frames, points } = readPc2(read(folder, 'cloth.pc2'));
    let mesh: SkinnedMesh | undefined;
    gltf.scene.traverse((node: SkinnedMesh) => {
      if (node.isSkinnedMesh) mesh = node;
    });
    if (!mesh) throw new Error('there is no skinned mesh');
    // The last frame is the first of the next round.
    for (const t of [0, 13, 22]) {
      mixer.setTime(t / 24);
      gltf.scene.updateMatrixWorld(true);
      const box = new Box3();
      for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
        box.expandByPoint(mesh.getVertexPosition(i, new Vector3()).applyMatrix4(mesh.matrixWorld));
      }
      const { min, max } = boundsOf(frames.subarray(3 * points * t, 3 * points * (t + 1)));
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(box.min.getComponent(k) - min[k])).toBeLessThan(0.03);
        expect(Math.abs(box.max.getComponent(k) - max[k])).toBeLessThan(0.03);
      }
    }
  });
});

describe('a face of morph targets as bones', () => {
  const { folder } = fixtureFolder(writeFaceFiles);
  beforeAll(() => cook('morph-target-face', folder), 120_000);

  it('has bones in place of morph targets, and the neutral face as it was', async () => {
    const before = await readGltf(face());
    const after = await readGltf(read(folder, 'face-bones.glb'));
    expect(before.scene.morphs[0].targets).toHaveLength(4);
    expect(after.scene.morphs).toHaveLength(0);
    expect(after.scene.bones).toHaveLength(16);
    expect(after.mesh.positions).toEqual(before.mesh.positions);
    expect((await readGltf(read(folder, 'face-wrinkles.glb'))).scene.morphs[0].targets).toHaveLength(3);
  });

  it('has sliders by the names of the morph targets', async () => {
    const before = await readGltf(face());
    const after = readSliders(await readGltf(read(folder, 'face-sliders.glb')));
    const names = before.scene.morphs[0].names ?? before.scene.morphs[0].targets.map((_, k) => `target-${k}`);
    expect(after?.sliders.names.toSorted()).toEqual([...names].toSorted());
    expect(after?.clips).toHaveLength(1);
  });
});

describe('a 4D sequence as a crowd', () => {
  const { folder } = fixtureFolder(writeScanFiles);
  beforeAll(() => cook('sequence-to-crowd', folder), 120_000);

  it('is a file with what a crowd needs: few bones, four weights, one clip', async () => {
    const { scene, animations } = await readGltf(read(folder, 'crowd.glb'));
    expect(scene.bones.length).toBeLessThanOrEqual(12);
    expect(scene.weights.slots).toBe(4);
    expect(animations).toHaveLength(1);
  });
});

describe('a generated 4D mesh as a rig', () => {
  const { folder } = fixtureFolder(writeGeneratedFiles);
  beforeAll(() => cook('generated-4d-mesh', folder), 120_000);

  it('has joints in a hierarchy and one clip, in a fraction of the bytes of its frames', async () => {
    const { scene, animations } = await readGltf(read(folder, 'creature.glb'));
    const hanging = scene.bones.filter(({ parent }) => parent >= 0).length;
    expect(scene.bones.length).toBeGreaterThan(4);
    expect(hanging).toBeGreaterThan(scene.bones.length / 2);
    expect(animations).toHaveLength(1);
    const frames = readdirSync(join(folder, 'frames')).reduce((sum, name) => sum + sizeOf(folder, 'frames', name), 0);
    expect(sizeOf(folder, 'creature-small.glb')).toBeLessThan(frames / 10);
  });
});

describe('a VRM made small', () => {
  const { folder } = fixtureFolder(async (place) => {
    await writeAvatarFiles(place);
    const { code, stderr } = await pelt(['convert', 'body.glb', '-o', 'avatar.vrm'], place);
    if (code !== 0) throw new Error(stderr);
  });
  beforeAll(() => cook('small-vrm', folder), 120_000);

  it('is smaller, and still a VRM with the same body', () => {
    expect(sizeOf(folder, 'avatar-small.vrm')).toBeLessThan(sizeOf(folder, 'avatar.vrm') / 2);
    const [before, after] = ['avatar.vrm', 'avatar-small.vrm'].map((name) => jsonOf(read(folder, name)));
    expect(after.extensions.VRMC_vrm).toEqual(before.extensions.VRMC_vrm);
    expect(Object.keys(after.extensions.VRMC_vrm.humanoid.humanBones)).toContain('hips');
  });

  it('performs in a small file', async () => {
    expect(sizeOf(folder, 'dancing-small.glb')).toBeLessThan(sizeOf(folder, 'dancing.glb') / 2);
    expect((await readGltf(read(folder, 'dancing-small.glb'))).animations).toHaveLength(1);
  });
});

describe('a poser from the poses of a scan', () => {
  const { folder } = fixtureFolder(writePoseFiles);
  beforeAll(() => cook('poser-from-scans', folder), 120_000);

  it('has moved the vertex towards its handle, and the mesh with it', () => {
    const target = [0.2, 0.3, 0.5];
    const distance = (positions: Float32Array) => Math.hypot(...target.map((x, k) => x - positions[3 * 40 + k]));
    const [rest, posed] = [readObj(read(folder, 'rest.obj')), readObj(read(folder, 'posed.obj'))];
    expect(distance(posed.positions)).toBeLessThan(0.2 * distance(rest.positions));
    expect(posed.positions.filter((x, k) => Math.abs(x - rest.positions[k]) > 1e-3).length).toBeGreaterThan(100);
  });
});

describe('continuous integration', () => {
  const { folder } = fixtureFolder(writeAssetFiles);
  const action = read(root, 'integrations/github/check-assets.yml').toString();
  const steps = [...action.matchAll(/^ +- run: npx pelt (.*)$/gm)].map(([, words]) => words.split(' '));
  beforeAll(() => cook('continuous-integration', folder), 120_000);

  it('shows the action that is in the repository', () => {
    expect(pageOf('continuous-integration').blocks.find(({ language }) => language === 'yaml')?.text).toBe(action);
    expect(steps).toHaveLength(2);
  });

  it('passes as long as nothing has changed', async () => {
    for (const step of steps) expect((await pelt(step, folder)).code).toBe(0);
  });

  it('fails where the error has grown, and where the size has', async () => {
    const original = read(folder, 'assets/flag.glb');
    const fit = ['fit', 'source/flag.obj', 'source/flag.pc2', '--fps', '24', '-o', 'assets/flag.glb'];
    await pelt([...fit, '--bones', '6', '--compress', 'meshopt'], folder);
    const worse = await pelt(steps[1], folder);
    expect(worse.code).toBe(6);
    expect(worse.stderr).toMatch(/^error: the error grew by [\d.]+%, more than 5%\n$/);
    await pelt([...fit, '--bones', '24'], folder);
    const larger = await pelt(steps[1], folder);
    expect(larger.code).toBe(6);
    expect(larger.stderr).toMatch(/the size grew by [\d.]+%, more than 5%\n$/);
    writeFileSync(join(folder, 'assets/flag.glb'), original);
    expect((await pelt(steps[1], folder)).code).toBe(0);
  });
});

/** Runs code of a page as a module whose requests are answered from a folder; gives what it names. */
async function runInPage(code: string, names: string, folder: string) {
  const generated = join(import.meta.dirname, 'generated');
  mkdirSync(generated, { recursive: true });
  const file = join(generated, `recipe-${process.pid}.mjs`);
  writeFileSync(file, `${code}\nexport { ${names} };\n`);
  const { fetch, Request } = globalThis;
  Object.assign(globalThis, {
    Request: function request(url: string) {
      return { url };
    },
    fetch: async ({ url }: { url: string }) => new Response(read(folder, url)),
    ProgressEvent: class extends Event {},
  });
  try {
    return await import(/* @vite-ignore */ file);
  } finally {
    Object.assign(globalThis, { fetch, Request });
    rmSync(file);
  }
}
