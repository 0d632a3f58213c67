import { MATERIAL_DEFAULTS } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { readObj } from '../../src/obj/read-obj.ts';
import { bytesOf } from '../meshes.ts';

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10);
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
const WEBP = bytesOf('RIFF\x00\x00\x00\x00WEBP');
const TRIANGLE = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';

/** Reads a triangle of material `skin` with the files given; tells also which were asked for. */
function read(files: Record<string, Uint8Array | string>, obj = 'mtllib a.mtl\nusemtl skin\nf 1 2 3\n') {
  const asked: string[] = [];
  const warnings: string[] = [];
  const mesh = readObj(bytesOf(TRIANGLE + obj), {
    name: 'a.obj',
    onWarning: (message) => warnings.push(message.replace("OBJ 'a.obj': ", '')),
    resolve: (path) => {
      asked.push(path);
      const file = files[path];
      return typeof file === 'string' ? bytesOf(file) : file;
    },
  });
  return { mesh, asked, warnings, skin: mesh.materials?.[0] };
}

describe('readMaterials', () => {
  it('reads a plain material as the defaults', () => {
    const { skin, warnings } = read({ 'a.mtl': 'newmtl skin\n' });
    expect(skin).toEqual({ ...MATERIAL_DEFAULTS, name: 'skin' });
    expect(warnings).toEqual([]);
  });

  it('reads colours, transparency, metal, roughness and light', () => {
    const text =
      'newmtl other\nKd 1 0 0\nnewmtl skin\n\tKd 0.25 0.5 0.75\nd 0.5\nKe 0.1 0.2 0.3\nPr 0.4\nPm 1\nNs 250\nillum 2\n';
    const { skin } = read({ 'a.mtl': text.replaceAll('\n', '\r\n') });
    expect(skin).toMatchObject({
      baseColor: [0.25, 0.5, 0.75, 0.5],
      alphaMode: 'BLEND',
      emissive: [0.1, 0.2, 0.3],
      roughness: 0.4,
      metallic: 1,
    });
    expect(read({ 'a.mtl': 'newmtl skin\nTr 0.25' }).skin?.baseColor[3]).toBe(0.75);
    expect(read({ 'a.mtl': 'newmtl skin\nd 0' }).skin?.baseColor[3]).toBe(0);
    expect(read({ 'a.mtl': 'newmtl skin\nKd 0.5' }).skin?.baseColor).toEqual([0.5, 0.5, 0.5, 1]);
  });

  it('keeps numbers within their range and mends what is not a number', () => {
    const { skin } = read({ 'a.mtl': 'newmtl skin\nKd 7 nan -1\nPr inf\nPm x\nd\n' });
    expect(skin?.baseColor).toEqual([1, 1, 0, 1]);
    expect([skin?.roughness, skin?.metallic]).toEqual([MATERIAL_DEFAULTS.roughness, 0]);
  });

  it('reads textures by their content, each once', () => {
    const text =
      'newmtl skin\nmap_Kd tex\\My Skin.png\nmap_Ke glow.bin\nmap_Bump -bm 0.5 n.webp\nmap_d ./tex/My Skin.png\n';
    const { mesh, skin, asked } = read({ 'a.mtl': text, 'tex/My Skin.png': PNG, 'glow.bin': JPEG, 'n.webp': WEBP });
    expect(mesh.images).toEqual([
      { name: 'My Skin.png', mimeType: 'image/png', bytes: PNG },
      { name: 'n.webp', mimeType: 'image/webp', bytes: WEBP },
      { name: 'glow.bin', mimeType: 'image/jpeg', bytes: JPEG },
    ]);
    expect(skin?.baseColorTexture).toEqual({ image: 0, uvSet: 0 });
    expect(skin?.normalTexture).toEqual({ image: 1, uvSet: 0 });
    expect(skin?.normalScale).toBe(0.5);
    expect(skin?.emissiveTexture).toEqual({ image: 2, uvSet: 0 });
    expect(skin?.alphaMode).toBe('BLEND');
    expect(asked.filter((path) => path === 'tex/My Skin.png')).toHaveLength(1);
  });

  it('reads the options of a texture, in any number', () => {
    const { skin } = read({ 'a.mtl': 'newmtl skin\nmap_Kd -clamp on -s 2 4 1 -o 0.25 0.5 t.png\n', 't.png': PNG });
    // v upwards: 4 v + 0.5; downwards with w = 1 − v: 1 − (4 (1 − w) + 0.5) = 4 w − 3.5.
    expect(skin?.baseColorTexture?.transform).toEqual({ offset: [0.25, -3.5], rotation: 0, scale: [2, 4] });
    expect(read({ 'a.mtl': 'newmtl skin\nmap_Kd -s 1 1 1 t.png', 't.png': PNG }).skin?.baseColorTexture).toEqual({
      image: 0,
      uvSet: 0,
    });
  });

  it('takes the first material of a name, and libraries in one statement or several', () => {
    const files = { 'a b.mtl': 'newmtl skin\nPr 0.1', 'a.mtl': 'newmtl skin\nPr 0.2', 'b.mtl': 'newmtl skin\nPr 0.3' };
    expect(read(files, 'mtllib a b.mtl\nusemtl skin\nf 1 2 3\n').skin?.roughness).toBe(0.1);
    expect(read(files, 'mtllib a.mtl b.mtl\nusemtl skin\nf 1 2 3\n').skin?.roughness).toBe(0.2);
    expect(read(files, 'mtllib b.mtl\nmtllib a.mtl\nusemtl skin\nf 1 2 3\n').skin?.roughness).toBe(0.3);
  });

  it('tells what is missing', () => {
    expect(read({}).warnings).toEqual([
      "material library 'a.mtl' was not found",
      "material 'skin' is in no library; it gets the default look",
    ]);
    expect(read({ 'a.mtl': 'newmtl skin\nmap_Kd t.png' }).warnings).toEqual(["texture 't.png' was not found"]);
    expect(read({ 'a.mtl': 'newmtl skin\nmap_Kd t.tga', 't.tga': 'TGA' }).warnings).toEqual([
      "texture 't.tga' is not PNG, JPEG or WebP and is left out; convert it",
    ]);
  });

  it.each(['../a.mtl', '/etc/a.mtl', 'C:\\a.mtl', 'http://example.org/a.mtl', 'x/../../a.mtl'])(
    'never asks for %s',
    (path) => {
      const library = read({}, `mtllib ${path}\nusemtl skin\nf 1 2 3\n`);
      expect(library.asked).toEqual([]);
      expect(library.warnings[0]).toBe(`material library '${path}' lies outside the file's folder and is not read`);
      const texture = read({ 'a.mtl': `newmtl skin\nmap_Kd ${path}` });
      expect(texture.asked).toEqual(['a.mtl']);
      expect(texture.warnings).toEqual([`texture '${path}' lies outside the file's folder and is not read`]);
    },
  );

  it('keeps material names where nobody gives files, without a word', () => {
    const warnings: string[] = [];
    const mesh = readObj(bytesOf(`${TRIANGLE}mtllib a.mtl\nusemtl skin\nf 1 2 3\n`), {
      onWarning: (message) => warnings.push(message),
    });
    expect(mesh.materials).toEqual([{ ...MATERIAL_DEFAULTS, name: 'skin' }]);
    expect(warnings).toEqual([]);
  });

  it('takes any bytes for a library', () => {
    for (const text of ['', '\0\xff', 'Kd 1 1 1', 'newmtl', 'newmtl skin\nmap_Kd', 'newmtl skin\nmap_Kd -s']) {
      expect(read({ 'a.mtl': text }).mesh.materials).toHaveLength(1);
    }
  });
});
