import { type CharacterClip, type Clip, poseAt } from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import { characterAsset } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { editGltf, type GltfAsset, readCharacter, readGltf, readRig, twoLayerExtension } from '../../../src/index.ts';
import { binaryOf, glbOf, type Json, jsonOf } from '../glb-json.ts';
import { complaintsAbout } from '../validate-glb.ts';

const bytes = characterAsset();

function edited(glb: Uint8Array, change: (json: Json) => void): Uint8Array {
  const json = jsonOf(glb);
  change(json);
  return glbOf(json, binaryOf(glb));
}

/** What has a meaning of its own: everything but where arrays are stored. */
function meaning(json: Json): Json {
  const { bufferViews: _, buffers: __, accessors, ...rest } = json;
  const shapes = accessors.map(({ bufferView: ___, ...accessor }: Json) => accessor);
  return { ...rest, accessors: shapes };
}

/** The poses of a clip, turned a little more. */
function turned({ name, times, transforms }: Clip, by: number): CharacterClip {
  const [c, s] = [Math.cos(by), Math.sin(by)];
  const out = transforms.slice();
  for (let k = 0; k < out.length; k += 12) {
    for (let column = 0; column < 4; column++) {
      const [x, z] = [transforms[k + column], transforms[k + 8 + column]];
      out[k + column] = c * x + s * z;
      out[k + 8 + column] = c * z - s * x;
    }
  }
  return { name: `${name} turned`, times, transforms: out };
}

function expectPoses(asset: GltfAsset, clip: number, wanted: Clip, digits: number): void {
  const read = readRig(asset).clips[clip];
  expect(read.times).toHaveLength(wanted.times.length);
  wanted.times.forEach((time, t) => {
    expect(read.times[t]).toBeCloseTo(time, 6);
    const m = asset.scene.bones.length;
    const [a, b] = [poseAt(read, t, m).transforms, poseAt(wanted, t, m).transforms];
    const apart = a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0);
    expect(apart, `frame ${t}`).toBeLessThan(10 ** -digits);
  });
}

describe('editGltf', () => {
  it('changes nothing where nothing is to change', async () => {
    const asset = await readGltf(bytes);
    const { bytes: same, lost } = await editGltf({ bytes }, asset, {});
    expect(lost).toBe(0);
    expect(meaning(jsonOf(same))).toEqual(meaning(jsonOf(bytes)));
    const again = await readGltf(same);
    expect(again).toEqual(asset);
  });

  it('adds clips before those that stay, and drops what only the others used', async () => {
    const asset = await readGltf(bytes);
    const wanted = turned(readRig(asset).clips[0], 0.4);
    const { bytes: all } = await editGltf({ bytes }, asset, { clips: [wanted] });
    expect(await complaintsAbout(all)).toEqual(await complaintsAbout(bytes));
    const added = await readGltf(all);
    expect(added.animations.map(({ name }) => name)).toEqual(['clip 0 turned', 'clip 0', 'clip 1']);
    expectPoses(added, 0, wanted, 6);
    const { bytes: one } = await editGltf({ bytes }, asset, { clips: [wanted], keep: [] });
    expect((await readGltf(one)).animations).toHaveLength(1);
    expect(one.length).toBeLessThan(all.length - 2000);
    const { animations: _, accessors: __, meshes: ___, skins: ____, ...rest } = meaning(jsonOf(one));
    expect(jsonOf(bytes)).toMatchObject(rest);
  });

  it('moves the nodes of a character as it comes from elsewhere: scaled, turned, with matrices', async () => {
    const half = Math.SQRT1_2;
    const odd = edited(bytes, (json) => {
      const nodes = json.nodes;
      Object.assign(nodes[0], { scale: [0.01, 0.01, 0.01], rotation: [-half, 0, 0, half], translation: [1, 2, 3] });
      // Joint 1 by a matrix, and an animation that leaves it alone.
      nodes[8] = { ...nodes[8], translation: undefined, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1] };
      json.animations = [];
    });
    const asset = await readGltf(odd);
    const wanted = turned({ ...readRig(await readGltf(bytes)).clips[0], name: 'new' }, 0);
    const { bytes: out, lost } = await editGltf({ bytes: odd }, asset, { clips: [wanted] });
    expect(lost).toBeLessThan(2e-6);
    expect(await complaintsAbout(odd)).toEqual(expect.arrayContaining(await complaintsAbout(out)));
    expectPoses(await readGltf(out), 0, wanted, 5);
  });

  it('keeps the weights of morph targets that are on at rest', async () => {
    const on = edited(bytes, (json) => {
      json.meshes[2].weights = [0.25, 0];
    });
    const asset = await readGltf(on);
    const { clips, morphs } = readCharacter(asset);
    expect(morphs.map(({ name }) => name)).toEqual(['smile', 'frown']);
    const morphWeights = Float32Array.from({ length: 2 * clips[0].times.length }, (_, k) => (k % 2 ? 0 : k / 50));
    const { bytes: out } = await editGltf({ bytes: on }, asset, { clips: [{ ...clips[0], morphWeights }], keep: [] });
    const read = readCharacter(await readGltf(out)).clips[0].morphWeights;
    expect(read).toHaveLength(morphWeights.length);
    read?.forEach((weight, k) => {
      expect(weight).toBeCloseTo(morphWeights[k], 6);
    });
  });

  it('passes on what it does not know, with its arrays', async () => {
    const strange = edited(bytes, (json) => {
      json.extensionsUsed = ['KHR_lights_punctual', 'ACME_rope', 'KHR_animation_pointer'];
      json.extensions.ACME_rope = { strands: { bufferView: 1, accessor: 2 } };
      json.animations[0].channels.push({
        sampler: 0,
        target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer: '/materials/0/alphaCutoff' } } },
      });
    });
    const asset = await readGltf(strange);
    const { bytes: out } = await editGltf({ bytes: strange }, asset, { extensions: [layers], keep: [0] });
    const [before, after] = [jsonOf(strange), jsonOf(out)];
    expect(after.animations).toEqual([before.animations[0]]);
    expect(after.accessors).toHaveLength(before.accessors.length);
    expect(after.extensions.ACME_rope).toEqual({ strands: { bufferView: 1, accessor: 2 } });
    expect(after.extensionsUsed).toEqual(['KHR_lights_punctual', 'ACME_rope', 'KHR_animation_pointer', layers.name]);
    const { bytes: bare } = await editGltf({ bytes: out }, await readGltf(out), { without: [layers.name] });
    expect(jsonOf(bare).extensions).toEqual(before.extensions);
  });

  it('leaves compressed files compressed', async () => {
    const { bytes: small } = await compressGlb(bytes);
    const asset = await readGltf(small);
    const { bytes: out } = await editGltf({ bytes: small }, asset, { extensions: [layers] });
    expect(out.length).toBeLessThan(small.length + 1500);
    const { extensions, ...again } = await readGltf(out);
    expect(extensions.map(({ name }) => name)).toContain(layers.name);
    expect(again).toEqual({ ...asset, extensions: undefined, name: again.name });
  });
});

const layers = twoLayerExtension({
  masters: { slots: 1, bones: Uint16Array.of(0, 1), weights: Float32Array.of(1, 1) },
  vertices: { slots: 1, bones: new Uint16Array(1), weights: Float32Array.of(1) },
});
