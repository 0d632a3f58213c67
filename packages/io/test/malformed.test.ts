/**
 * Files that are cut, bent or random: every reader gives a valid result or one of pelt's own errors, never another
 * exception. How long they take is measured by the benchmarks.
 */
import { PeltError, validateMesh, validateMeshSequence } from '@pelt/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../src/detect.ts';
import { sequenceFromFrames } from '../src/frames.ts';
import { readMdd, writeMdd } from '../src/mdd/mdd.ts';
import { readObj } from '../src/obj/read-obj.ts';
import { readPc2, writePc2 } from '../src/pc2/pc2.ts';
import { readPly } from '../src/ply/read-ply.ts';
import { writePly } from '../src/ply/write-ply.ts';
import { type PointCache, sequenceFromCache } from '../src/point-cache.ts';
import { bytesOf, tetrahedron, tetrahedronSequence } from './meshes.ts';

const OBJ = `mtllib a.mtl
o tétra # name
v 0 0 0 1 0.5 0.25
v 1.5e0 0 0
v 0 1 0 0.5
v 0 0 1
v 1 1 \\
 1
vt 0 0
vt 1 0.5
vn 0 0 1
usemtl skin
f 1/1/1 2/2/1 3/1/1
f -5//1 -4//1 -3//1 -2//1 -1//1
g b
f 1 2 4\r
`;
const MTL = 'newmtl skin\nKd 1 0.5 0\nd 0.5\nmap_Kd -s 1 2 -bm 1 skin.png\nnorm n.png\n';
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
const SEQUENCE = tetrahedronSequence(
  [0, 1, 2],
  Float32Array.from({ length: 36 }, (_, k) => k / 7),
);
const RICH = {
  ...tetrahedron(),
  normals: { size: 3 as const, values: new Float32Array(12).fill(1) },
  uvs: { size: 2 as const, values: new Float32Array(4), indices: Uint32Array.of(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1) },
  colors: { size: 4 as const, values: new Float32Array(16).fill(0.5) },
};
RICH.uvs.values[0] = 1;

const cache = (read: (bytes: Uint8Array) => PointCache) => (bytes: Uint8Array) => {
  const points = read(bytes);
  const positions = new Float32Array(points.points * 3);
  validateMeshSequence(sequenceFromCache({ name: '', positions, triangles: new Uint32Array(0) }, points));
};

/** Each reader with a good file; reading includes the check that the result is valid. */
const READERS: readonly (readonly [string, Uint8Array, (bytes: Uint8Array) => void])[] = [
  ['OBJ', bytesOf(OBJ), (bytes) => validateMesh(readObj(bytes))],
  [
    'MTL',
    bytesOf(MTL),
    (bytes) => {
      const resolve = (path: string) => (path === 'a.mtl' ? bytes : PNG);
      validateMesh(readObj(bytesOf(OBJ), { resolve }));
    },
  ],
  ['PLY text', writePly(RICH, { encoding: 'ascii' }), (bytes) => validateMesh(readPly(bytes))],
  ['PLY little-endian', writePly(RICH), (bytes) => validateMesh(readPly(bytes))],
  ['PLY big-endian', writePly(RICH, { encoding: 'binary_big_endian' }), (bytes) => validateMesh(readPly(bytes))],
  ['PC2', writePc2(SEQUENCE), cache(readPc2)],
  ['MDD', writeMdd(SEQUENCE), cache(readMdd)],
  [
    'frames',
    bytesOf(OBJ),
    (bytes) => {
      const files = [bytesOf(OBJ), bytes].map((content, k) => ({ name: `f${k}.obj`, bytes: content }));
      validateMeshSequence(sequenceFromFrames(files));
    },
  ],
  ['detect', bytesOf(OBJ), (bytes) => detectFormat('a.obj', bytes)],
];

/** Reads, and lets pelt's own errors pass, if they are one line with something to say. */
function tolerate(read: (bytes: Uint8Array) => void, bytes: Uint8Array): void {
  try {
    read(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(PeltError);
    if (error instanceof PeltError) expect(error.message.length).toBeGreaterThan(20);
  }
}

describe.each(READERS)('%s', (_, good, read) => {
  it('is read when whole', () => {
    read(good);
  });

  it('is read or refused when cut at any byte', () => {
    for (let length = 0; length < good.length; length++) tolerate(read, good.slice(0, length));
  });

  it('is read or refused when any one byte is any other', () => {
    const position = fc.nat({ max: good.length - 1 });
    fc.assert(
      fc.property(position, fc.nat({ max: 255 }), (at, value) => {
        const bytes = good.slice();
        bytes[at] = value;
        tolerate(read, bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('is read or refused when any four bytes are those of a large count', () => {
    for (let at = 0; at + 4 <= good.length; at++) {
      for (const filler of [0xff, 0x7f, 0x80, 0]) {
        const bytes = good.slice();
        bytes.fill(filler, at, at + 4);
        tolerate(read, bytes);
      }
    }
  });

  it('is read or refused when spans are left out, doubled or put elsewhere', () => {
    const position = fc.nat({ max: good.length });
    fc.assert(
      fc.property(position, position, position, (a, b, c) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const span = good.slice(from, to);
        tolerate(read, Uint8Array.from([...good.slice(0, from), ...good.slice(to)]));
        tolerate(read, Uint8Array.from([...good.slice(0, c), ...span, ...good.slice(c)]));
      }),
      { numRuns: 200 },
    );
  });

  it('is read or refused when it is noise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => tolerate(read, bytes)),
      { numRuns: 300 },
    );
  });
});

describe('text of words that formats use, in any order', () => {
  const words = fc.constantFrom(
    ...['v', 'vt', 'vn', 'f', 'o', 'g', 'usemtl', 'mtllib', '1', '2', '-1', '0', '1/1/1', '1//1', 'nan', '\n', '\\\n'],
    ...[
      'ply',
      'format',
      'ascii',
      '1.0',
      'element',
      'vertex',
      'face',
      'property',
      'list',
      'uchar',
      'float',
      'x',
      'y',
      'z',
    ],
    ...['vertex_indices', 'end_header', '4294967295', '#', 'newmtl', 'map_Kd', '-s', '-o'],
  );
  it('is read or refused', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), (list) => {
        const bytes = bytesOf(list.join(' '));
        for (const [, , read] of READERS) tolerate(read, bytes);
      }),
      { numRuns: 500 },
    );
  });
});

describe('files made to take long', () => {
  it.each([
    ['a face of many corners', `${'v 0 0 0\nv 1 0 0\nv 1 1 0\n'}f${' 1 2 3'.repeat(200_000)}\n`],
    ['many objects', `v 0 0 0\n${'o a\nf 1 1 1\n'.repeat(50_000)}`],
    ['many materials', `v 0 0 0\n${Array.from({ length: 50_000 }, (_, k) => `usemtl m${k}\nf 1 1 1\n`).join('')}`],
    ['many flaws', `v 0 0 0\n${'vn nan nan nan\nf 1\n'.repeat(50_000)}`],
    ['many backslashes', `v 0 0 0\n${'\\'.repeat(500_000)}\n`],
    ['many joined lines', `v 0 0 0\nf${' 1 \\\n'.repeat(200_000)}`],
    ['one long word', `v 0 0 0\n${'x'.repeat(1_000_000)}`],
  ])('%s: is read or refused', (_, text) => {
    tolerate((bytes) => validateMesh(readObj(bytes)), bytesOf(text));
  });
});
