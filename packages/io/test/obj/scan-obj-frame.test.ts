import { readFileSync } from 'node:fs';
import { InputError } from '@pelt/model';
import { realData } from '@pelt/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readObj } from '../../src/obj/read-obj.ts';
import { scanObjFrame } from '../../src/obj/scan-obj-frame.ts';
import { writeObj } from '../../src/obj/write-obj.ts';
import { arbitraryMesh, bytesOf } from '../meshes.ts';

function positionsOf(bytes: Uint8Array, count: number, name = ''): Float32Array {
  const out = new Float32Array(3 * count);
  scanObjFrame(bytes, count, name, out);
  return out;
}

const hash = (text: string) => scanObjFrame(bytesOf(text), 1, '', new Float32Array(3));

describe('scanObjFrame', () => {
  it('reads what the full reader reads', () => {
    fc.assert(
      fc.property(arbitraryMesh({ cornerIndices: true, parts: true }), (mesh) => {
        const [{ bytes }] = writeObj(mesh);
        expect(positionsOf(bytes, mesh.positions.length / 3)).toEqual(readObj(bytes).positions);
      }),
    );
  });

  it('passes over everything but vertices', () => {
    const text = 'v 1 2 3\nvt 0 0\nv 4 5 6 1 1 1\n';
    expect([...positionsOf(bytesOf(text), 2, 'a.obj')]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each([
    ['v 1 2 3\n', 1],
    ['v 1 2 3\n'.repeat(3), 3],
  ])('names file and both counts where they differ', (text, count) => {
    expect(() => positionsOf(bytesOf(text), 2, 'frame-7.obj')).toThrow(InputError);
    expect(() => positionsOf(bytesOf(text), 2, 'frame-7.obj')).toThrow(
      `OBJ 'frame-7.obj': ${count} vertices, but the rest pose has 2`,
    );
  });

  it('tells texts of faces apart, and only those', () => {
    const v = 'v 1 2 3\n';
    expect(hash(`${v}# f 1 1 1\n`)).toBe(0);
    expect(hash(`${v}f 1 1 1\n`)).toBe(hash(`v 3 2 1\no other\nvt 0 0\nf 1 1 1\r\n`));
    expect(hash(`${v}f 1 1 1\n`)).not.toBe(hash(`${v}f 1 1 1 1\n`));
    expect(hash(`${v}f 1 1 1\nf 1 1 1\n`)).not.toBe(hash(`${v}f 1 1 1\n`));
    expect(hash(`${v}f 1 1 \\\n 1\n`)).not.toBe(hash(`${v}f 1 1 \\\n 2\n`));
  });

  it.skipIf(!realData('horse-poses/pose-01.obj'))('rounds real numbers as the platform does', () => {
    const bytes = readFileSync(realData('horse-poses/pose-01.obj') ?? '');
    const expected = bytes
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('v '))
      .flatMap((line) => line.trim().split(/\s+/).slice(1).map(Number));
    expect(positionsOf(bytes, 8431)).toEqual(Float32Array.from(expected));
  });
});
