import { MATERIAL_DEFAULTS } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { readGltf } from '../../src/index.ts';
import { FileBuilder, TRIANGLE } from './file-builder.ts';
import { PNG } from './models.ts';

async function read(builder: FileBuilder, warnings: string[] = []) {
  return readGltf(builder.glb(), { name: 'made.glb', onWarning: (message) => warnings.push(message) });
}

function triangle(): { builder: FileBuilder; position: number } {
  const builder = new FileBuilder();
  return { builder, position: builder.floats('VEC3', TRIANGLE) };
}

describe('files of text', () => {
  function textual(): { builder: FileBuilder; text: () => Uint8Array } {
    const { builder, position } = triangle();
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }) });
    return { builder, text: () => new TextEncoder().encode(JSON.stringify(builder.json)) };
  }

  it('hold their data as base64', async () => {
    const { builder, text } = textual();
    const base64 = btoa(String.fromCharCode(...builder.binary));
    builder.json.buffers[0].uri = `data:application/octet-stream;base64,${base64}`;
    expect([...(await readGltf(text())).mesh.positions]).toEqual(TRIANGLE);
  });

  it('name files beside them', async () => {
    const { builder, text } = textual();
    builder.json.buffers[0].uri = './data%20of/my%20model.bin';
    const asked: string[] = [];
    const resolve = (path: string) => {
      asked.push(path);
      return path === 'data of/my model.bin' ? builder.binary : undefined;
    };
    expect([...(await readGltf(text(), { resolve })).mesh.positions]).toEqual(TRIANGLE);
    const later = await readGltf(text(), { resolve: (path) => Promise.resolve(resolve(path)) });
    expect([...later.mesh.positions]).toEqual(TRIANGLE);
    expect(new Set(asked)).toEqual(new Set(['data of/my model.bin']));
  });

  it('never ask for anything outside their folder', async () => {
    for (const uri of [
      '../secret.bin',
      'a/../../secret.bin',
      '/etc/passwd',
      'C:\\secret.bin',
      '..\\secret.bin',
      '%2e%2e/secret.bin',
      'http://example.org/a.bin',
      '//example.org/a.bin',
      'file:///etc/passwd',
      'a%00.bin',
      '%zz',
    ]) {
      const { builder, text } = textual();
      builder.json.buffers[0].uri = uri;
      const asked: string[] = [];
      const failing = readGltf(text(), {
        resolve: (path) => {
          asked.push(path);
          return builder.binary;
        },
      });
      await expect(failing).rejects.toMatchObject({ name: 'InputError' });
      expect(asked).toEqual([]);
    }
  });

  it('say which file was not found', async () => {
    const { builder, text } = textual();
    builder.json.buffers[0].uri = 'gone.bin';
    await expect(readGltf(text(), { name: 'a.gltf' })).rejects.toThrow(
      "glTF 'a.gltf': buffers[0] refers to 'gone.bin', which was not found beside the glTF",
    );
  });

  it('may begin with a byte order mark', async () => {
    const { builder, text } = textual();
    builder.json.buffers[0].uri = `data:;base64,${btoa(String.fromCharCode(...builder.binary))}`;
    const marked = Uint8Array.of(0xef, 0xbb, 0xbf, ...text());
    expect((await readGltf(marked)).mesh.triangles).toHaveLength(3);
  });

  it('may be a view into a larger array, at any offset', async () => {
    const { builder, position } = triangle();
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }) });
    const glb = builder.glb();
    for (const offset of [1, 2, 3]) {
      const larger = new Uint8Array(glb.length + offset + 5);
      larger.set(glb, offset);
      const { mesh } = await readGltf(larger.subarray(offset, offset + glb.length));
      expect([...mesh.positions]).toEqual(TRIANGLE);
    }
  });
});

describe('looks', () => {
  function painted(image: object, texture: object = { source: 0 }) {
    const { builder, position } = triangle();
    builder.list('images', image);
    builder.list('textures', texture);
    builder.list('materials', {
      name: 'paint',
      pbrMetallicRoughness: { baseColorTexture: { index: 0, texCoord: 1 } },
      extensions: { KHR_materials_clearcoat: { clearcoatFactor: 1 } },
    });
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position }, material: 0 }) });
    return builder;
  }

  it('have the format’s defaults, not the model’s', async () => {
    const { builder, position } = triangle();
    builder.list('materials', {});
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position }, material: 0 }) });
    expect((await read(builder)).mesh.materials).toEqual([{ ...MATERIAL_DEFAULTS, metallic: 1, roughness: 1 }]);
  });

  it('keep pictures, by what they are and not by what they are called', async () => {
    const builder = painted({});
    builder.json.images[0] = { bufferView: builder.view(PNG), mimeType: 'image/jpeg', name: 'p' };
    const warnings: string[] = [];
    const { materials, images } = (await read(builder, warnings)).mesh;
    expect(images).toEqual([{ name: 'p', mimeType: 'image/png', bytes: PNG }]);
    expect(materials?.[0].baseColorTexture).toEqual({ image: 0, uvSet: 1 });
    expect(warnings).toEqual(["glTF 'made.glb': the look of KHR_materials_clearcoat is left out"]);
  });

  it('do without a picture that is missing or outside the folder', async () => {
    for (const uri of ['gone.png', '../secret.png', 'https://example.org/p.png']) {
      const warnings: string[] = [];
      const { materials, images } = (await read(painted({ uri }), warnings)).mesh;
      expect(images).toBeUndefined();
      expect(materials?.[0].baseColorTexture).toBeUndefined();
      expect(warnings.some((message) => message.includes(uri))).toBe(true);
    }
  });

  it('may name their picture through an extension', async () => {
    const texture = { extensions: { EXT_texture_webp: { source: 0 } } };
    const builder = painted({}, texture);
    builder.json.images[0] = { bufferView: builder.view(PNG) };
    expect((await read(builder)).mesh.images).toHaveLength(1);
  });
});
