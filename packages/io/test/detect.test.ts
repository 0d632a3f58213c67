import { readFileSync } from 'node:fs';
import { InputError, UnsupportedError } from '@pelt/model';
import { realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { writeAlembic } from '../src/alembic/write-alembic.ts';
import { detectFormat } from '../src/detect.ts';
import { writeMdd } from '../src/mdd/mdd.ts';
import { writeObj } from '../src/obj/write-obj.ts';
import { writePc2 } from '../src/pc2/pc2.ts';
import { writePly } from '../src/ply/write-ply.ts';
import { bytesOf, tetrahedron, tetrahedronSequence } from './meshes.ts';

const SEQUENCE = tetrahedronSequence([0, 1], new Float32Array(24));

describe('detectFormat', () => {
  it.each([
    ['obj', writeObj(tetrahedron())[0].bytes],
    ['ply', writePly(tetrahedron(), { encoding: 'ascii' })],
    ['ply', writePly(tetrahedron())],
    ['abc', writeAlembic(SEQUENCE)],
    ['pc2', writePc2(SEQUENCE)],
    ['mdd', writeMdd(SEQUENCE)],
    ['glb', bytesOf('glTF\x02\0\0\0')],
    ['fbx', bytesOf('Kaydara FBX Binary  \0')],
    ['fbx', bytesOf('; FBX 7.4.0 project file')],
    ['gltf', bytesOf('  {"asset": {"version": "2.0"}}')],
    ['gltf', bytesOf('\uFEFF{"asset": {"version": "2.0"}}')],
    ['obj', bytesOf('# comment\r\n\r\n  mtllib a.mtl\r\n')],
  ])('knows %s by its content, whatever the name says', (format, bytes) => {
    for (const name of ['x', 'x.obj', 'x.glb', 'x.unknown']) expect(detectFormat(name, bytes)).toBe(format);
  });

  it.each([
    ['a.OBJ', '# only a comment', 'obj'],
    ['folder.ply/a.mdd', '\0\0\0\x01', 'mdd'],
    ['a.gltf', 'nonsense', 'gltf'],
  ])('goes by the name %s where the content says nothing', (name, text, format) => {
    expect(detectFormat(name, bytesOf(text))).toBe(format);
  });

  it('names a Git LFS pointer as what it is, whatever the extension', () => {
    const pointer = bytesOf('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n');
    for (const name of ['a.glb', 'a.obj', 'a.pc2']) {
      expect(() => detectFormat(name, pointer)).toThrow(InputError);
      expect(() => detectFormat(name, pointer)).toThrow(`'${name}' is a Git LFS pointer, not the file itself`);
    }
  });

  it.each([
    ['\x89HDF\r\n\x1a\n', 'an HDF5 file, the form of Alembic before version 1.5'],
    ['BLENDER-v304', 'a Blender file'],
    ['solid cube\nfacet normal', 'an STL file'],
    ['HIERARCHY\nROOT Hips', 'a BVH motion, without a mesh'],
    ['PK\x03\x04', 'a zip archive'],
  ])('names %j', (text, what) => {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    expect(() => detectFormat('a.obj', bytes)).toThrow(UnsupportedError);
    expect(() => detectFormat('a.obj', bytes)).toThrow(`'a.obj' is ${what}`);
  });

  it.each(['a', 'a.txt', 'a.constructor', 'obj'])('says that %s is of no known format', (name) => {
    const bytes = bytesOf('Dear reader,\n');
    expect(() => detectFormat(name === 'obj' ? 'a.xyz' : name, bytes)).toThrow(UnsupportedError);
    expect(() => detectFormat('a.txt', bytes)).toThrow(
      "'a.txt' is of no known format; it should be glTF, FBX, USD, Alembic, OBJ, PLY, PC2 or MDD",
    );
  });

  it('says that an empty file is empty', () => {
    expect(() => detectFormat('a.obj', new Uint8Array(0))).toThrow(InputError);
  });

  it.skipIf(!realData('caches/cube.mdd')).each([
    ['caches/cube.mdd', 'mdd'],
    ['caches/Bone_Anim.abc', 'abc'],
    ['horse-gallop/clip.pc2', 'pc2'],
    ['closed/armadillo.obj', 'obj'],
    ['gltf/Fox.glb', 'glb'],
  ])('knows %s', (path, format) => {
    expect(detectFormat('nameless', readFileSync(realData(path) ?? ''))).toBe(format);
  });
});
