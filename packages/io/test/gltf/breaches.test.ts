/** Files that break the specification in ways that have one sensible reading: they are read, and a warning says so. */
import { vertexCount } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { bakeSequence, readGltf, writeGlb } from '../../src/index.ts';
import { FileBuilder, TRIANGLE } from './file-builder.ts';
import { jsonOf } from './glb-json.ts';
import { richSheet } from './models.ts';
import { complaintsAbout } from './validate-glb.ts';

async function read(builder: FileBuilder) {
  const warnings: string[] = [];
  const asset = await readGltf(builder.glb(), { name: 'a.glb', onWarning: (message) => warnings.push(message) });
  return { asset, warnings: warnings.join('\n') };
}

/** One triangle on a node, and what else its primitive and node have. */
function triangle(primitive: object = {}, node: object = {}): FileBuilder {
  const builder = new FileBuilder();
  const mesh = builder.mesh({ attributes: { POSITION: builder.floats('VEC3', TRIANGLE) }, ...primitive });
  builder.node({ mesh, ...node });
  return builder;
}

/** A rotation of the node over the keys given. */
function turning(times: readonly number[], values: readonly number[], interpolation = 'LINEAR'): FileBuilder {
  const builder = triangle();
  const [input, output] = [builder.floats('SCALAR', times), builder.floats('VEC4', values)];
  builder.list('animations', {
    samplers: [{ input, output, interpolation }],
    channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }],
  });
  return builder;
}

describe('a file without breaches', () => {
  it('gives no warnings', async () => {
    expect((await read(turning([0, 1], [0, 0, 0, 1, 0, 0, 1, 0]))).warnings).toBe('');
  });
});

describe('breaches that are read with a warning', () => {
  it('reads a view with a stride of 0 as packed', async () => {
    const builder = triangle();
    builder.json.bufferViews[0].byteStride = 0;
    const { asset, warnings } = await read(builder);
    expect([...asset.mesh.positions]).toEqual(TRIANGLE);
    expect(warnings).toContain('a byteStride of 0 is not valid');
  });

  it('leaves out corners beyond the last triangle', async () => {
    const builder = new FileBuilder();
    const POSITION = builder.floats('VEC3', TRIANGLE);
    const indices = builder.accessor('SCALAR', Uint16Array.of(0, 1, 2, 0));
    builder.node({ mesh: builder.mesh({ attributes: { POSITION }, indices }) });
    const { asset, warnings } = await read(builder);
    expect([...asset.mesh.triangles]).toEqual([0, 1, 2]);
    expect(warnings).toContain('no multiple of three');
  });

  it('reads the index of a primitive restart as a vertex where there is such a vertex', async () => {
    const builder = new FileBuilder();
    const POSITION = builder.accessor(
      'VEC3',
      new Float32Array(3 * 256).map((_, k) => Math.sin(k)),
    );
    const indices = builder.accessor('SCALAR', Uint8Array.of(0, 1, 255));
    builder.node({ mesh: builder.mesh({ attributes: { POSITION }, indices }) });
    const { asset, warnings } = await read(builder);
    expect([...asset.mesh.triangles]).toEqual([0, 1, 255]);
    expect(warnings).toContain('primitive restart');
  });

  it.each([
    ['LINEAR', [0, 0, 0, 0, 0, 0, 1, 0]],
    ['CUBICSPLINE', [...Array<number>(12).fill(0), 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]],
  ])('reads a zero quaternion of a %s animation as no rotation', async (interpolation, values) => {
    const { asset, warnings } = await read(turning([0, 1], values, interpolation));
    expect(warnings).toContain('a rotation whose quaternion is zero');
    const { frames } = bakeSequence(asset);
    TRIANGLE.forEach((value, k) => {
      expect(frames[k]).toBeCloseTo(value, 6);
    });
  });

  it('reads a zero quaternion of a node as no rotation', async () => {
    const { asset, warnings } = await read(triangle({}, { rotation: [0, 0, 0, 0] }));
    expect([...asset.mesh.positions]).toEqual(TRIANGLE);
    expect(warnings).toContain('a rotation whose quaternion is zero');
  });

  it('takes the last of keys at the same time', async () => {
    const { asset, warnings } = await read(turning([0, 0, 1], [0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0]));
    expect(warnings).toContain('of keys at the same time the last counts');
    // Half a turn about z.
    expect(bakeSequence(asset).frames[3]).toBeCloseTo(-1, 6);
  });

  it('takes joints that a skin or a vertex names twice', async () => {
    const builder = new FileBuilder();
    const attributes = {
      POSITION: builder.floats('VEC3', TRIANGLE),
      JOINTS_0: builder.accessor('VEC4', Uint8Array.from([0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0])),
      WEIGHTS_0: builder.floats('VEC4', [0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0]),
    };
    const mesh = builder.mesh({ attributes });
    const joint = builder.node({});
    const skin = builder.list('skins', { joints: [joint, joint] });
    builder.node({ mesh, skin });
    const { asset, warnings } = await read(builder);
    expect(asset.scene.weights.slots).toBe(1);
    expect(warnings).toContain('skins[0] lists a node twice among its joints');
    expect(warnings).toContain('a joint that a vertex names twice counts with the sum of its weights');
  });

  it('takes sparse indices in any order', async () => {
    const builder = triangle();
    const indices = builder.view(Uint8Array.of(2, 1));
    const values = builder.view(new Uint8Array(Float32Array.of(0, 7, 0, 5, 0, 0).buffer));
    builder.json.accessors[0].sparse = {
      count: 2,
      indices: { bufferView: indices, componentType: 5121 },
      values: { bufferView: values },
    };
    const { asset, warnings } = await read(builder);
    expect([...asset.mesh.positions]).toEqual([0, 0, 0, 5, 0, 0, 0, 7, 0]);
    expect(warnings).toContain('sparse indices do not increase strictly');
  });
});

describe('versions and extensions', () => {
  it.each([
    [{ version: '2.1' }, undefined],
    [{ version: '2.0', minVersion: '2.0' }, undefined],
    [{ version: '2.1', minVersion: '2.1' }, 'it needs a reader of glTF 2.1'],
    [{ version: '20' }, 'it is glTF 20'],
  ])('asset %j', async (asset, message) => {
    const builder = triangle();
    builder.json.asset = asset;
    if (message) await expect(read(builder)).rejects.toThrow(message);
    else expect(vertexCount((await read(builder)).asset.mesh)).toBe(3);
  });

  it('reads on without a known extension that only changes the look', async () => {
    const builder = triangle();
    builder.list('materials', { extensions: { KHR_materials_sheen: {} } });
    builder.json.extensionsRequired = ['KHR_materials_sheen'];
    expect((await read(builder)).warnings).toContain(
      'it is read without KHR_materials_sheen, so it may look different',
    );
  });

  it('refuses a required extension that nobody knows, wherever it is used', async () => {
    const builder = triangle();
    builder.list('materials', { extensions: { ACME_glitter: {} } });
    builder.json.extensionsRequired = ['ACME_glitter'];
    await expect(read(builder)).rejects.toThrow('it needs the extension ACME_glitter');
  });

  it('refuses a required extension that may change the shape', async () => {
    const builder = triangle({ extensions: { ACME_bulge: {} } });
    builder.json.extensionsRequired = ['ACME_bulge'];
    await expect(read(builder)).rejects.toThrow('it needs the extension ACME_bulge');
  });

  it('says what there is too much of in a scene of many nodes', async () => {
    const builder = triangle();
    for (let k = 0; k < 65_536; k++) builder.node({ mesh: 0, translation: [k, 0, 0] });
    await expect(read(builder)).rejects.toThrow('its scene has 65537 nodes with meshes, and pelt handles up to 65536');
  });
});

describe('pictures', () => {
  const KTX2 = Uint8Array.of(0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4);

  it('keeps a KTX2 texture by its extension', async () => {
    const builder = triangle();
    const uv = builder.floats('VEC2', [0, 0, 1, 0, 0, 1]);
    const primitive = builder.json.meshes[0].primitives[0];
    primitive.attributes.TEXCOORD_0 = uv;
    primitive.material = builder.list('materials', { pbrMetallicRoughness: { baseColorTexture: { index: 0 } } });
    builder.list('images', { bufferView: builder.view(KTX2), mimeType: 'image/ktx2' });
    builder.list('textures', { extensions: { KHR_texture_basisu: { source: 0 } } });
    builder.json.extensionsUsed = ['KHR_texture_basisu'];
    builder.json.extensionsRequired = ['KHR_texture_basisu'];
    const { asset } = await read(builder);
    const json = jsonOf((await writeGlb({ mesh: asset.mesh })).bytes);
    expect(json.extensionsRequired).toContain('KHR_texture_basisu');
    expect(json.textures[0].extensions).toEqual({ KHR_texture_basisu: { source: 0 } });
    expect(json.textures[0].source).toBeUndefined();
    expect(json.images[0].mimeType).toBe('image/ktx2');
    expect(json.bufferViews[json.images[0].bufferView].byteLength).toBe(KTX2.length);
  });

  it('leaves out a picture without bytes, with a warning', async () => {
    const sheet = richSheet(3, 3);
    const images = sheet.images?.map((image) => ({ ...image, bytes: new Uint8Array(0) }));
    const warnings: string[] = [];
    const { bytes } = await writeGlb(
      { mesh: { ...sheet, images } },
      { onWarning: (message) => warnings.push(message) },
    );
    expect(warnings.join('\n')).toMatch(/is empty and left out/);
    expect(jsonOf(bytes).images).toBeUndefined();
    expect(await complaintsAbout(bytes)).toEqual([]);
  });
});
