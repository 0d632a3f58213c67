import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../src/alembic/byte-writer.ts';
import { objectsIn } from '../../src/alembic/object-tree.ts';
import { EMPTY_DATA, EMPTY_GROUP, OgawaWriter } from '../../src/alembic/ogawa-writer.ts';
import { readAlembicSequence } from '../../src/index.ts';
import {
  instanceObject,
  meshObject,
  openBytes,
  openScene,
  readScene,
  TRIANGLE,
  translate,
  xformObject,
} from './scene.ts';

/** An archive of one chain of objects, built from the inside out without recursion. */
function chain(levels: number, writer = new OgawaWriter()): Uint8Array {
  const version = writer.data(new ByteWriter().uint(0, 4).toBytes());
  const library = writer.data(new ByteWriter().uint(10800, 4).toBytes());
  const list = new ByteWriter().uint(1, 4).text('o').uint(0, 1).bytes(new Uint8Array(32)).toBytes();
  let group = EMPTY_GROUP;
  for (let level = 0; level < levels; level++) group = writer.group([EMPTY_GROUP, group, writer.data(list)]);
  const times = writer.data(new ByteWriter().uint(1, 4).float64(1).uint(1, 4).float64(0).toBytes());
  return writer.finish(writer.group([version, library, group, EMPTY_DATA, times, EMPTY_DATA]));
}

describe('objects', () => {
  it('come parents first, in the order of the archive', () => {
    const { top } = openScene([
      xformObject('a', translate(0, 0, 0), [meshObject('b', TRIANGLE), meshObject('c', TRIANGLE)]),
      meshObject('d', TRIANGLE),
    ]);
    expect([...objectsIn(top)].map(({ path }) => path)).toEqual(['', '/a', '/a/b', '/a/c', '/d']);
  });

  it('may be 100 000 levels deep', () => {
    const { top } = openBytes(chain(100_000));
    let deepest = top;
    for (const object of objectsIn(top)) deepest = object;
    expect(deepest.path.length).toBe(200_000);
  });

  it('may not contain themselves', () => {
    const bytes = chain(3);
    const view = new DataView(bytes.buffer);
    const root = Number(view.getBigUint64(8, true));
    const top = Number(view.getBigUint64(root + 8 + 16, true));
    // The object inside the top one is the top one.
    view.setBigUint64(top + 8 + 8, BigInt(top), true);
    expect(() => openBytes(bytes)).toThrow(InputError);
    expect(() => openBytes(bytes)).toThrow('its groups overlap or form a cycle');
  });

  describe('instances', () => {
    const source = xformObject('arm', translate(1, 0, 0), [meshObject('m', TRIANGLE)]);

    it('stand for their source and all below it', () => {
      const { rest } = readScene([source, xformObject('copy', translate(0, 5, 0), [instanceObject('i', '/arm')])]);
      expect([...rest.positions.subarray(9, 12)]).toEqual([1, 5, 0]);
      expect(rest.parts?.map(({ name }) => name)).toEqual(['m', 'm']);
      const archive = openScene([source, xformObject('copy', translate(0, 5, 0), [instanceObject('i', '/arm/m')])]);
      expect(archive.meshes.map(({ path }) => path)).toEqual(['/arm/m', '/copy/i']);
    });

    it('may be below a source', () => {
      const outer = xformObject('outer', translate(0, 1, 0), [instanceObject('i', '/arm')]);
      const archive = openScene([source, outer, instanceObject('j', '/outer')]);
      expect(archive.meshes.map(({ path }) => path)).toEqual(['/arm/m', '/outer/i/m', '/j/i/m']);
    });

    it('may not be of themselves or of nothing', () => {
      const selfish = xformObject('a', translate(0, 0, 0), [instanceObject('i', '/a')]);
      expect(() => openScene([selfish])).toThrow('contain themselves');
      expect(() => openScene([instanceObject('i', '/x')])).toThrow(
        "'/i' is an instance of '/x', which does not exist; export without instances",
      );
      expect(() => openScene([instanceObject('i', '/i')])).toThrow(InputError);
      expect(() => openScene([instanceObject('i', '/')])).toThrow(InputError);
    });

    it('may not be more than memory holds', () => {
      const big = meshObject('big', { points: [new Array(3 * 40_000).fill(0)] });
      const archive = openScene([big, ...Array.from({ length: 1000 }, (_, k) => instanceObject(`i${k}`, '/big'))]);
      expect(() => readAlembicSequence(archive)).toThrow(
        "Alembic 'a.abc': 40040000 vertices together, more than 33554432; choose meshes by name",
      );
    });

    it('may be many', () => {
      const many = Array.from({ length: 3000 }, (_, k) => instanceObject(`i${k}`, '/arm'));
      expect(openScene([source, ...many]).meshes.length).toBe(3001);
    });
  });
});
