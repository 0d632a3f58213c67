import { InputError, UnsupportedError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { readPlyHeader } from '../../src/ply/ply-header.ts';
import { bytesOf } from '../meshes.ts';

const TEXT =
  'ply\nformat ascii 1.0\ncomment made by C:\\\nobj_info x\nelement vertex 3\nproperty float x\nproperty double y\n' +
  'element face 1\nproperty list uchar uint vertex_indices\nend_header\n1 2';
const read = (text: string) => readPlyHeader(bytesOf(text), "PLY 'a.ply'");

describe('readPlyHeader', () => {
  it('reads elements and properties in order', () => {
    expect(read(TEXT)).toEqual({
      encoding: 'ascii',
      elements: [
        {
          name: 'vertex',
          count: 3,
          properties: [
            { name: 'x', type: 'float32', countType: undefined },
            { name: 'y', type: 'float64', countType: undefined },
          ],
        },
        { name: 'face', count: 1, properties: [{ name: 'vertex_indices', type: 'uint32', countType: 'uint8' }] },
      ],
      end: TEXT.indexOf('1 2'),
    });
  });

  it('reads all line ends, and takes a line feed behind a lone return for data', () => {
    for (const end of ['\r\n', '\r']) {
      const text = TEXT.replaceAll('\n', end);
      expect(read(text)).toEqual({ ...read(TEXT), end: text.indexOf('1 2') });
    }
    const binary = 'ply\rformat binary_big_endian 1.0\rend_header\r\n\n';
    expect(read(binary).end).toBe(binary.length - 2);
  });

  it('knows both spellings of every type', () => {
    const types = 'char int8 uchar uint8 short int16 ushort uint16 int int32 uint uint32 float float32 double float64';
    const properties = types.split(' ').map((type, k) => `property ${type} p${k}\n`);
    const header = read(`ply\nformat ascii 1.0\nelement vertex 0\n${properties.join('')}end_header\n`);
    const found = header.elements[0].properties.map(({ type }) => type);
    expect(found.filter((_, k) => k % 2 === 0)).toEqual(found.filter((_, k) => k % 2 === 1));
    expect(new Set(found).size).toBe(8);
  });

  it.each([
    ['', "does not begin with a line 'ply'"],
    ['plyx\n', "does not begin with a line 'ply'"],
    ['ply', "no 'end_header'"],
    ['ply\nformat ascii 1.0\n', "no 'end_header'"],
    ['ply\nend_header\n', "no 'format' line"],
    ['ply\nelement vertex -1\n', "line 2: '-1' is not a count"],
    ['ply\nelement vertex 1e9\n', "line 2: '1e9' is not a count"],
    ['ply\nelement vertex\n', "line 2: '' is not a count"],
    ['ply\nelement vertex 99999999999999999999\n', 'is not a count'],
    ['ply\nproperty float x\n', 'line 2: a property comes before the first element'],
    ['ply\nelement vertex 1\nproperty half x\n', "line 3: 'half' is not a type of PLY"],
    ['ply\nelement vertex 1\nproperty constructor x\n', "line 3: 'constructor' is not a type of PLY"],
    ['ply\nelement face 1\nproperty list uchar\n', "line 3: '' is not a type of PLY"],
  ])('refuses %j', (text, message) => {
    expect(() => read(text)).toThrow(InputError);
    expect(() => read(text)).toThrow(message);
  });

  it('names an encoding that it does not know', () => {
    expect(() => read('ply\nformat binary_pdp_endian 1.0\nend_header\n')).toThrow(UnsupportedError);
  });

  it('reads a header of megabytes of comments', () => {
    const text = `ply\nformat ascii 1.0\n${'comment x\n'.repeat(200_000)}comment ${'y'.repeat(100_000)}\nend_header\n`;
    expect(read(text).end).toBe(text.length);
  });

  it('gives up on a header without end', () => {
    expect(() => read(`ply\n${'comment x\n'.repeat(200_000)}`)).toThrow("no 'end_header'");
  });
});
