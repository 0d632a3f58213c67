import { InputError, UnsupportedError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { NO_INDEX, parseObj } from '../../src/obj/parse-obj.ts';
import { WarningTally } from '../../src/warning-tally.ts';
import { bytesOf } from '../meshes.ts';

/** The largest finite float32. */
const FLT_MAX = Math.fround(3.4028234663852886e38);

const QUIET = new WarningTally('', undefined);
const parse = (text: string) => parseObj(bytesOf(text), 'a.obj', QUIET);
const SQUARE = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';

describe('parseObj', () => {
  it('reads vertices and faces, counting from 0', () => {
    const { positions, corners, faceSizes } = parse(`${SQUARE}f 1 2 3\nf 1 2 3 4\n`);
    expect([...positions]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect([...corners]).toEqual([0, 1, 2, 0, 1, 2, 3]);
    expect([...faceSizes]).toEqual([3, 4]);
  });

  it.each([
    ['v', 'f 1 2 3', undefined, undefined],
    ['v/vt', 'f 1/2 2/1 3/2', [1, 0, 1], undefined],
    ['v//vn', 'f 1//1 2//1 3//1', undefined, [0, 0, 0]],
    ['v/vt/vn', 'f 1/1/1 2/2/1 3/1/1', [0, 1, 0], [0, 0, 0]],
    ['v/', 'f 1/ 2/ 3/', undefined, undefined],
    ['v/vt/', 'f 1/1/ 2/1/ 3/1/', [0, 0, 0], undefined],
    ['mixed corners', 'f 1 2/2 3//1', [NO_INDEX, 1, NO_INDEX], [NO_INDEX, NO_INDEX, 0]],
    ['negative', 'f -4/-2/-1 -3/-1/-1 -2/-1/-1', [0, 1, 1], [0, 0, 0]],
  ])('reads the corner form %s', (_, face, uvCorners, normalCorners) => {
    const parsed = parse(`${SQUARE}vt 0 0\nvt 1 1\nvn 0 0 1\n${face}`);
    expect([...parsed.corners]).toEqual([0, 1, 2]);
    expect(parsed.uvCorners && [...parsed.uvCorners]).toEqual(uvCorners);
    expect(parsed.normalCorners && [...parsed.normalCorners]).toEqual(normalCorners);
  });

  it('counts negative indices back from where they stand', () => {
    const parsed = parse('v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 0 0 1\nv 1 0 1\nv 1 1 1\nf -3 -2 -1\n');
    expect([...parsed.corners]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('lets a face name vertices that come later', () => {
    expect([...parse(`f 1 2 3\n${SQUARE}`).corners]).toEqual([0, 1, 2]);
  });

  it.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['CR', (text: string) => text.replaceAll('\n', '\r')],
    ['tabs and blanks', (text: string) => text.replaceAll(' ', ' \t ').replaceAll('\n', '  \n\n\t')],
    ['joined lines', (text: string) => text.replaceAll(' ', ' \\\n ')],
    ['joined lines with CRLF', (text: string) => text.replaceAll(' ', '\\\r\n ')],
    ['comments', (text: string) => text.replaceAll('\n', ' # v 9 9 9\n# f 1 2 3 C:\\\n')],
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    ['no last line end', (text: string) => text.trimEnd()],
  ])('reads the same from text with %s', (_, change) => {
    const text = `${SQUARE}vt 0.25 1\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1 4/1/1\n`;
    expect(parse(change(text))).toEqual(parse(text));
  });

  it('reads a weight as nothing and three numbers more as a colour', () => {
    const { positions, colors } = parse('v 1 2 3 0.5\nv 4 5 6 0.25 0.5 0.75\nv 7 8 9\nv 1 1 1 0 0 0 0.5\n');
    expect(positions).toHaveLength(12);
    expect(colors && [...colors]).toEqual([1, 1, 1, 1, 0.25, 0.5, 0.75, 1, 1, 1, 1, 1, 0, 0, 0, 0.5]);
    expect(parse('v 1 2 3 1').colors).toBeUndefined();
  });

  it('counts v downwards', () => {
    expect([...parse('vt 0.25 0.75\nvt 0.5\nvt 1 1 1\n').uvs]).toEqual([0.25, 0.25, 0.5, 1, 1, 0]);
  });

  it('gathers faces in runs of one name and one material', () => {
    const face = 'f 1 2 3\n';
    const text = `${SQUARE}${face}o a\ng a\nusemtl x\n${face}g a\n${face}usemtl x\n${face}usemtl y\n${face}g empty\ng b # c\n${face}o b # c\n${face}usemtl (null)\n${face}`;
    const { runs, materialNames } = parse(text);
    expect(materialNames).toEqual(['x', 'y']);
    expect(runs).toEqual([
      { name: '', material: -1, firstFace: 0 },
      { name: 'a', material: 0, firstFace: 1 },
      { name: 'a', material: 1, firstFace: 4 },
      { name: 'b # c', material: 1, firstFace: 5 },
      { name: 'b # c', material: 1, firstFace: 6 },
      { name: 'b # c', material: -1, firstFace: 7 },
    ]);
  });

  it('keeps names as they are, control characters and all', () => {
    const { runs } = parse(`${SQUARE}o left \x1b[31marm ü\nf 1 2 3\n`);
    expect(runs[0].name).toBe('left \x1b[31marm ü');
  });

  it.each([
    ['v 1 2', 'line 5: a vertex has fewer than 3 coordinates'],
    ['v 1 nan 2', "line 5: 'nan' is not a finite 32-bit number"],
    ['v 1 -inf 2', "line 5: '-inf' is not a finite 32-bit number"],
    ['v 1 2 1e39', "line 5: '1e39' is not a finite 32-bit number"],
    ['v 1 2 3 x y z', "line 5: 'x' is not a finite 32-bit number"],
    ['f 0 1 2', "line 5: '0' in a face is not a valid index"],
    ['f 1 2 -5', "line 5: '-5' in a face is not a valid index"],
    ['f 1 2 3.5', "line 5: '3.5' in a face is not a valid index"],
    ['f 1 2 x', "line 5: 'x' in a face is not a valid index"],
    ['f 1/x 2 3', "line 5: 'x' in a face is not a valid index"],
    ['f 1/1/1/1 2 3', 'in a face is not a valid index'],
    ['f 1 2 99999999999999999999', 'in a face is not a valid index'],
    ['f 1 2 4294967296', 'in a face is not a valid index'],
    ['f 1 2 3\nf 1 2 4294967295', 'face 2 names vertex 4294967295, but the file has 4'],
    ['f 1 2 3\nf 1 2 3 4\nf 1 2 5', 'face 3 names vertex 5, but the file has 4'],
  ])('refuses %j', (line, message) => {
    expect(() => parse(SQUARE + line)).toThrow(InputError);
    expect(() => parse(SQUARE + line)).toThrow(message);
  });

  it.each([
    ['f 1//1 2//1 3//1', 'normal'],
    ['f 1//-1 2//-1 3//-1', 'normal'],
    ['f 1/1 2/1 3/1', 'texture coordinate'],
  ])('ignores the look that %j names and the file does not have', (line, what) => {
    const told: string[] = [];
    const tally = new WarningTally('a.obj', (message) => told.push(message));
    const parsed = parseObj(bytesOf(SQUARE + line), 'a.obj', tally);
    tally.flush();
    expect([...parsed.corners]).toEqual([0, 1, 2]);
    expect([parsed.uvCorners, parsed.normalCorners]).toEqual([undefined, undefined]);
    expect(told.join()).toContain(`a face names a ${what} that the file does not have; it is ignored`);
  });

  it('keeps the normals that are there beside those that are not', () => {
    const { normalCorners } = parse(`${SQUARE}f 1//2 2//1 3//1\nvn 0 0 1`);
    expect([...(normalCorners ?? [])]).toEqual([NO_INDEX, 0, 0]);
  });

  it('takes every number that rounds to a finite float', () => {
    expect([...parse('v 3.40282347e38 -3.4028235e38 0').positions]).toEqual([FLT_MAX, -FLT_MAX, 0]);
    expect(() => parse('v 3.4028236e38 0 0')).toThrow('is not a finite 32-bit number');
  });

  it('names UTF-16 for what it is', () => {
    expect(() => parseObj(Uint8Array.of(0xff, 0xfe, 0x76, 0), 'a.obj', QUIET)).toThrow(UnsupportedError);
  });

  it('mends and tells what is only a flaw', () => {
    const told: string[] = [];
    const warnings = new WarningTally('OBJ', (message) => told.push(message));
    const parsed = parseObj(
      bytesOf(`${SQUARE}vn nan 0 1\nvn 1 2\nvt -1.#IND 0\nf 1 2\nf 3\nf\nf 1//1 2//2 3//1\ncurv 0 1 1 2\n`),
      'a.obj',
      warnings,
    );
    warnings.flush();
    expect([...parsed.normals]).toEqual([0, 0, 1, 1, 2, 0]);
    expect([...parsed.corners]).toEqual([0, 1, 2]);
    expect(parsed.normalCorners && [...parsed.normalCorners]).toEqual([0, 1, 0]);
    expect(told).toEqual([
      'OBJ: a normal is not a finite number; 0 is used (2 times)',
      'OBJ: a texture coordinate is not a finite number; 0 is used',
      'OBJ: a face has fewer than 3 corners and is left out (3 times)',
      'OBJ: free-form curves and surfaces are not read',
    ]);
  });
});
