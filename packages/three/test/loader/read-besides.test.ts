import { bodyExtension, puppetExtension, writeSkinnedGlb } from '@pelt/io';
import { IDENTITY_TRANSFORM, type SavedBody, type SavedPuppet } from '@pelt/model';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { PeltLoaderPlugin } from '../../src/index.ts';

const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
const skin = { slots: 1, bones: new Uint16Array(4), weights: new Float32Array(4).fill(1) };
const rig = {
  name: 'corner',
  mesh: { name: 'corner', positions, triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3) },
  bones: [{ name: 'root', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
  weights: skin,
};
const corners = Uint32Array.of(0, 1, 2, 3);
const body: SavedBody = {
  body: { name: 'corner', positions, tetrahedra: corners, surface: corners },
  skin,
  fixed: Uint32Array.of(0),
  yielding: true,
  settings: { bending: 2 },
};
const puppet: SavedPuppet = {
  pairs: {
    name: 'still',
    joints: ['head', 'pelvis'],
    neutral: 0,
    pairs: [
      { name: 'stand', performer: Float32Array.of(0, 1, 0, 0, 0, 0), character: { transforms: rig.bones[0].rest } },
    ],
  },
  settings: { parts: 'limbs', contacts: ['root'] },
};

async function load(extensions: Parameters<typeof writeSkinnedGlb>[0]['extensions']) {
  const { bytes } = await writeSkinnedGlb({ rig, clips: [], extensions });
  const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser));
  return (await loader.parseAsync(bytes.slice().buffer, '')).userData.pelt;
}

describe('what a file has beside its skin', () => {
  it('is there after loading: pairs and a solid, as they were saved', async () => {
    const content = await load([puppetExtension(puppet), bodyExtension(body)]);
    expect(content.meshes).toHaveLength(1);
    expect(content.puppet).toEqual(puppet);
    expect(content.body).toEqual(body);
  });

  it('is absent where the file has none', async () => {
    const content = await load([]);
    expect(Object.keys(content)).toEqual(['meshes']);
  });

  it('is refused where it belongs to another mesh or other joints', async () => {
    const two = { ...puppet.pairs.pairs[0], character: { transforms: new Float64Array(24) } };
    await expect(load([puppetExtension({ ...puppet, pairs: { ...puppet.pairs, pairs: [two] } })])).rejects.toThrow(
      /are not 1 pairs/,
    );
    const more = { ...body.body, surface: Uint32Array.of(0, 1, 2, 3, 3) };
    await expect(load([bodyExtension({ ...body, body: more })])).rejects.toThrow(/5 surface vertices, the mesh has 4/);
  });
});
