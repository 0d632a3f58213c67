import { describe, expect, it } from 'vitest';
import { nameScanner } from '../../src/pack/named-files.ts';

/** The names in a file, given to the scanner in parts of a size. */
function names(path: string, content: string | Uint8Array, part = 1 << 20): string[] {
  const bytes = Buffer.from(content as string);
  const scanner = nameScanner(path);
  for (let at = 0; at < bytes.length; at += part) scanner?.push(bytes.subarray(at, at + part));
  return [...(scanner?.end() ?? [])].sort();
}

function glb(json: string): Buffer {
  const head = Buffer.alloc(20);
  head.write('glTF');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(20 + json.length, 8);
  head.writeUInt32LE(json.length, 12);
  head.write('JSON', 16);
  return Buffer.concat([head, Buffer.from(json), Buffer.from('{"buffers":[{"uri":"behind.bin"}]}')]);
}

const GLTF = JSON.stringify({
  asset: { version: '2.0', extras: { buffers: [{ uri: 'no.bin' }], uri: 'no' } },
  buffers: [{ byteLength: 1, extras: { uri: 'no' }, uri: 'a%20b.bin' }, { uri: 'data:;base64,AAAA' }, {}],
  nodes: [{ uri: 'no' }, { name: 'buffers' }],
  images: [{ extras: [{ x: ['uri', { uri: 'no' }] }], uri: 'tex/"quoted"\u00e4.png', name: '}]' }],
});

describe('nameScanner', () => {
  it.each([1, 2, 7, 1 << 20])('finds buffers and images of a glTF in parts of %i bytes', (part) => {
    const expected = ['a b.bin', 'a%20b.bin', 'tex/"quoted"ä.png'];
    expect(names('a.gltf', GLTF, part)).toEqual(expected);
    expect(names('a.glb', glb(GLTF), part)).toEqual(expected);
    expect(names('a.gltf', GLTF.replaceAll(/([{}[\],:])(?=[^ ])/g, '$1\n '), part).length).toBeGreaterThan(0);
  });

  it('finds the recordings of a file of pairs', () => {
    expect(names('pairs.json', '{"pairs": [{"motion": "no.bvh"}], "motions": {"a": "a.bvh", "b": "b.bvh"}}')).toEqual([
      'a.bvh',
      'b.bvh',
    ]);
  });

  it.each([1, 5, 1 << 20])('finds material libraries and textures in parts of %i bytes', (part) => {
    expect(names('a.obj', 'v 0 0 0\n  mtllib my looks.mtl\r\nmtllibx no\n# mtllib no\nmtllib last.mtl', part)).toEqual([
      'last.mtl',
      'looks.mtl',
      'my',
      'my looks.mtl',
    ]);
    expect(names('a.mtl', 'newmtl m\nmap_Kd -s 1 1 1 skin.png\nBump sub/b.png\nmap_Kd\n', part)).toContain('skin.png');
  });

  it('finds pictures in a binary FBX, with and without the folder of whoever made it', () => {
    const content = Buffer.concat([
      Buffer.from([0, 255, 10, 1, 7]),
      Buffer.from('C:\\work\\my skin.png\0\x05x'),
      Buffer.alloc(9),
    ]);
    expect(names('a.fbx', content)).toEqual(expect.arrayContaining(['my skin.png']));
  });

  it('finds the same as a reader of all of it, whatever the text', () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 0x7fffffff;
      return seed % below;
    };
    const value = (depth: number): unknown => {
      const kind = random(depth > 4 ? 3 : 5);
      if (kind === 0) return ['uri', 'buffers', 'a.bin', 'x"y', '\\', 'ü', ''][random(7)];
      if (kind === 1) return random(100) - 50;
      if (kind === 2) return [true, false, null][random(3)];
      if (kind === 3) return Array.from({ length: random(4) }, () => value(depth + 1));
      const keys = ['uri', 'buffers', 'images', 'motions', 'k"', 'n'];
      return Object.fromEntries(Array.from({ length: random(5) }, () => [keys[random(6)], value(depth + 1)]));
    };
    for (let k = 0; k < 500; k++) {
      const made = { buffers: value(1), images: value(1), motions: value(1), other: value(1) } as unknown as Record<
        string,
        never
      >;
      const lists = [made.buffers, made.images].flatMap((list) => (Array.isArray(list) ? (list as never[]) : []));
      const uris = lists.map((entry: { uri?: unknown } | null) => entry?.uri);
      const motions = made.motions as unknown;
      const recordings =
        typeof motions === 'object' && motions !== null && !Array.isArray(motions) ? Object.values(motions) : [];
      const expected = [...uris, ...recordings].filter((name) => typeof name === 'string');
      expect(names('x.json', JSON.stringify(made), 1 + random(9))).toEqual(
        expect.arrayContaining(expected as string[]),
      );
    }
  });

  it.each(['', '{', '[[[[', '"', '{"buffers":[{"uri":', '\\\\\\', '}}}}]]]]'])('takes %j', (text) => {
    expect(names('x.gltf', text)).toEqual([]);
    expect(names('x.obj', text)).toEqual([]);
  });
});
