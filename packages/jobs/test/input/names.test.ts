/** What files are called, and where they lie, is nowhere in what is made of them. */
import { readGltf, readRig, writeObj } from '@pelt/io';
import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../../io/test/gltf/glb-json.ts';
import { namedMesh, namedRig, namedSequence } from '../../src/input/names.ts';
import type { JobRequest } from '../../src/request/check-request.ts';
import { bodyFiles } from '../body-files.ts';
import { chainFiles, scene } from '../chain-files.ts';
import { dogFiles } from '../dog-files.ts';
import { type TestFiles, Workspace } from '../workspace.ts';

const { rest } = scene.sequence;
const part = (name: string) => ({ name, firstTriangle: 0, triangleCount: 1, material: -1 });

describe('names', () => {
  it('are those of the only part, else neutral', () => {
    expect(namedMesh({ ...rest, name: 'file', parts: [part('arm'), part('arm')] }).name).toBe('arm');
    for (const parts of [undefined, [], [part('')], [part('arm'), part('leg')]]) {
      expect(namedMesh({ ...rest, name: 'file', parts }).name).toBe('mesh');
    }
    expect(namedSequence({ ...scene.sequence, name: 'file' }).name).toBe('clip');
    expect(namedSequence({ ...scene.sequence, name: 'file' }, 'walk').name).toBe('walk');
    expect(namedRig(scene.rig, 'dog')).toMatchObject({ name: 'dog', mesh: { name: 'dog' } });
  });
});

/** The same files elsewhere, and under names that sort alike. */
const moved = (path: string) => `some/where else/${path.replace(/([^/]+)\.(\w+)$/, 'x-$1-y.$2')}`;
const foldersOf = (files: TestFiles) => new Set(Object.keys(files).map((path) => path.split('/')[0]));

/** A request about the files that were moved. */
function redirect<R extends JobRequest>(request: R, files: TestFiles): R {
  const folders = foldersOf(files);
  const text = JSON.stringify(request, (_, value) => {
    if (typeof value !== 'string' || !(value in files || folders.has(value))) return value;
    return value in files ? moved(value) : `some/where else/${value}`;
  });
  return JSON.parse(text) as R;
}

const CHAIN = ['rest.obj', 'clip.pc2'];
const output = 'out.glb';
const CASES: readonly (readonly [JobRequest, () => Promise<TestFiles>])[] = [
  [{ command: 'fit', inputs: CHAIN, output, options: { bones: 3 } }, chainFiles],
  [{ command: 'fit', inputs: ['frames'], output, options: { bones: 3, root: 'full' } }, chainFiles],
  [{ command: 'skeleton', inputs: CHAIN, output, options: { bones: 3 } }, chainFiles],
  [{ command: 'skeleton', inputs: CHAIN, output: 'out.bvh', options: { bones: 3 } }, chainFiles],
  [{ command: 'convert', inputs: CHAIN, output }, chainFiles],
  [{ command: 'convert', inputs: ['character.glb'], output: 'p-#.obj' }, chainFiles],
  [{ command: 'reduce', inputs: ['character.glb', ...CHAIN], output, options: { weights: 1 } }, chainFiles],
  [{ command: 'envelope', inputs: ['character.glb', ...CHAIN], output, options: { predictor: 'ssd' } }, chainFiles],
  [
    { command: 'envelope', inputs: ['character.glb', ...CHAIN], output, options: { predictor: 'mohr-gleicher' } },
    chainFiles,
  ],
  [{ command: 'pose', inputs: ['character.glb'], output: 'p.obj', options: { save: output } }, chainFiles],
  [{ command: 'pose', inputs: ['rest.obj'], options: { examples: ['frames'], controls: 2, save: output } }, chainFiles],
  [{ command: 'puppet', inputs: ['dog.glb'], output, options: { motion: 'me.bvh', pairs: 'dog.json' } }, dogFiles],
  [{ command: 'puppet', inputs: ['dog.glb'], output: 'p.json', options: { motion: 'me.bvh', suggest: 3 } }, dogFiles],
  [
    {
      command: 'volume',
      inputs: ['body.obj'],
      output,
      options: { rig: 'character.glb', step: 4, bones: 2, tolerance: 0.01 },
    },
    bodyFiles,
  ],
];

describe('what files are called', () => {
  it.each(CASES)('changes no byte: %j', async (request, make) => {
    const files = await make();
    const here = new Workspace(files);
    const there = new Workspace(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [moved(path), bytes])));
    const { written } = await here.run(request);
    await there.run(redirect(request, files));
    expect(written.length).toBeGreaterThan(0);
    for (const path of written) expect(here.read(path), path).toEqual(there.read(path));
  });
});

describe('what files call their meshes and animations', () => {
  const space = new Workspace();
  const frame = (z: number) =>
    `o arm\n${new TextDecoder().decode(writeObj({ ...rest, parts: undefined })[0].bytes)}v 0 0 ${z}\n`;
  for (const t of [1, 2, 3]) space.put(`frames/${t}.obj`, frame(t));
  const namesIn = (path: string) => {
    const { meshes, skins = [], animations } = jsonOf(space.read(path));
    return [meshes[0].name, skins[0]?.name, animations[0].name];
  };

  it('is kept, unless the user says otherwise', async () => {
    const fit = { command: 'fit', inputs: ['frames'], output } as const;
    await space.run({ ...fit, options: { bones: 2 } });
    expect(namesIn(output)).toEqual(['arm', 'arm', 'clip']);
    await space.run({ ...fit, options: { bones: 2, name: 'leg' } });
    expect(namesIn(output)).toEqual(['leg', 'leg', 'clip']);
    const clip = [{ name: 'walk', files: ['frames'] }];
    await space.run({ command: 'skeleton', inputs: ['frames/1.obj'], output, options: { bones: 2, clip } });
    expect(namesIn(output)).toEqual(['arm', 'arm', 'walk']);
    await space.run({ command: 'convert', inputs: ['frames'], output, options: { name: 'paw' } });
    expect(namesIn(output)).toEqual(['paw', undefined, 'clip']);
  });

  it('goes through a rig', async () => {
    for (const [path, bytes] of Object.entries(await chainFiles())) space.put(path, bytes);
    const before = readRig(await readGltf(space.read('character.glb'), { name: 'character.glb' }));
    await space.run({ command: 'reduce', inputs: ['character.glb'], output, options: { weights: 1 } });
    expect(namesIn(output)).toEqual([rest.name, rest.name, before.clips[0].name]);
  });
});
