/** Damaged, empty and odd input through whole jobs: one line or a result, never another exception, never a file. */
import { writePc2 } from '@pelt/io';
import { InputError, type Mesh, PeltError, UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { chainFiles } from './chain-files.ts';
import { Workspace } from './workspace.ts';

const space = new Workspace(await chainFiles());

/** What a fit of the files came to: its report, or the error, which must be one line of a known class. */
async function outcome(inputs: readonly string[], bones = 3) {
  const output = 'result/out.glb';
  try {
    return (await space.run({ command: 'fit', inputs, output, options: { bones } })).report;
  } catch (error) {
    expect(error).toBeInstanceOf(PeltError);
    expect((error as Error).message).not.toContain('\n');
    return error as PeltError;
  }
}

/** A copy to be spoilt. */
const copyOf = (path: string) => Buffer.from(space.read(path));
const put = (path: string, bytes: Uint8Array) => space.put(path, Uint8Array.from(bytes));

describe('damaged files', () => {
  it.each(['rest.obj', 'clip.pc2', 'clip.mdd', 'morph.glb', 'character.glb', 'frames/pose-7.obj', 'scans/scan3.ply'])(
    '%s cut off anywhere',
    async (name) => {
      const bytes = copyOf(name);
      const file = `cut/${name.split('/').at(-1)}`;
      for (let part = 0; part < 8; part++) {
        put(file, bytes.subarray(0, Math.floor((bytes.length * part) / 8)));
        const others = /clip/.test(name) ? ['rest.obj'] : name === 'rest.obj' ? ['clip.pc2'] : [];
        const frame = name.includes('/') ? [name.replace(/\d/, '2')] : [];
        const result = await outcome([...others, ...frame, file]);
        // An OBJ that ends among its faces is a mesh with fewer of them: nothing in the format says that it was cut.
        const tells = name !== 'rest.obj' || part < 4;
        if (tells) expect(result, `${part} eighths`).toBeInstanceOf(PeltError);
      }
    },
  );

  it('caches that announce 2³² of anything', async () => {
    const pc2 = copyOf('clip.pc2');
    for (const offset of [16, 28]) {
      for (const count of [-1, 0, 0x7fffffff]) {
        const bytes = Buffer.from(pc2);
        bytes.writeInt32LE(count, offset);
        put('a.pc2', bytes);
        expect(await outcome(['rest.obj', 'a.pc2'])).toBeInstanceOf(InputError);
      }
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('a cache with a coordinate of %d', async (value) => {
    const bytes = copyOf('clip.pc2');
    bytes.writeFloatLE(value, 32 + 4 * 1000);
    put('a.pc2', bytes);
    const error = await outcome(['rest.obj', 'a.pc2']);
    expect(error).toBeInstanceOf(InputError);
    expect((error as PeltError).message).toContain(String(value));
  });

  it.each([
    ['an index out of range', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n'],
    ['an index of 0', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n'],
    ['a huge index', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4294967297\n'],
    ['an infinite coordinate', 'v 0 0 0\nv 1 1e999 0\nv 0 1 0\nf 1 2 3\n'],
    ['no vertices', 'f 1 2 3\n'],
    ['binary noise', '\u0000\u0001\u0002v'],
  ])('an OBJ with %s', async (_, text) => {
    for (const k of [1, 2]) space.put(`in/a${k}.obj`, text);
    expect(await outcome(['in'])).toBeInstanceOf(PeltError);
  });

  it('a glTF whose nodes are their own parents', async () => {
    const gltf = { asset: { version: '2.0' }, nodes: [{ children: [1] }, { children: [0] }], scenes: [{ nodes: [0] }] };
    space.put('a.gltf', JSON.stringify(gltf));
    expect(await outcome(['a.gltf'])).toBeInstanceOf(InputError);
  });

  it('frames of another mesh, named with both counts', async () => {
    space.put('a1.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    space.put('a2.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n');
    const error = await outcome(['a1.obj', 'a2.obj']);
    expect((error as PeltError).message).toMatch(/a2\.obj.*4.*3/);
  });
});

describe('odd but valid animations', () => {
  const triangleStrip = (n: number) =>
    Uint32Array.from({ length: 3 * Math.max(0, n - 2) }, (_, c) => Math.floor(c / 3) + (c % 3));

  /** S frames of n points whose coordinates a function gives. */
  async function fitPoints(n: number, S: number, at: (i: number, t: number) => readonly number[], bones?: number) {
    const frame = (t: number) => Array.from({ length: n }, (_, i) => at(i, t)).flat();
    const rest: Mesh = { name: 'odd', positions: Float32Array.from(frame(0)), triangles: triangleStrip(n) };
    const frames = Float32Array.from(Array.from({ length: S }, (_, t) => frame(t)).flat());
    const times = Float64Array.from({ length: S }, (_, t) => t / 24);
    const obj = [...Array(n).keys()].map((i) => `v ${at(i, 0).join(' ')}`);
    for (let k = 0; k < rest.triangles.length; k += 3)
      obj.push(`f ${[...rest.triangles.subarray(k, k + 3)].map((v) => v + 1).join(' ')}`);
    space.put('odd.obj', obj.join('\n'));
    space.put('odd.pc2', writePc2({ name: 'odd', rest, frames, times }));
    return outcome(['odd.obj', 'odd.pc2'], bones);
  }

  it('a mesh that does not move is fitted exactly', async () => {
    const report = await fitPoints(12, 3, (i) => [i % 4, Math.floor(i / 4), 0]);
    expect(report).toMatchObject({ input: { vertices: 12, frames: 3 } });
    if ('error' in report) expect(report.error.eRms).toBeLessThan(1e-3);
  });

  it('a mesh that only turns is fitted exactly by one bone', async () => {
    const report = await fitPoints(
      20,
      5,
      (i, t) => {
        const [x, y] = [i % 4, Math.floor(i / 4)];
        return [x * Math.cos(t) - y * Math.sin(t), x * Math.sin(t) + y * Math.cos(t), t];
      },
      1,
    );
    expect(report).toMatchObject({ bones: 1 });
    if ('error' in report) expect(report.error.eRms).toBeLessThan(0.01);
  });

  it('more bones than vertices become as many as there are vertices', async () => {
    const report = await fitPoints(4, 3, (i, t) => [i, i * i * t, (i % 2) * t], 50);
    expect(report).toMatchObject({ input: { vertices: 4 } });
    if ('bones' in report) expect(report.bones).toBeLessThanOrEqual(4);
  });

  it('triangles without area, and points that coincide, are no trouble', async () => {
    expect(await fitPoints(9, 4, (i, t) => [Math.floor(i / 3), t * Math.floor(i / 3), 0])).toMatchObject({
      input: { vertices: 9 },
    });
    expect(await fitPoints(6, 3, (i, t) => [i, t * i, 0])).toMatchObject({ input: { vertices: 6 } });
  });

  it('a mesh that rests in one point gives finite numbers', async () => {
    const report = await fitPoints(6, 3, (i, t) => [i * t, 0, 0]);
    expect(report).toMatchObject({ input: { vertices: 6 }, error: { eRms: expect.any(Number) } });
    if ('error' in report) for (const value of Object.values(report.error)) expect(Number.isFinite(value)).toBe(true);
  });

  it('huge and tiny models are fitted as well as others', async () => {
    const errors = [];
    for (const scale of [1, 1e6, 1e-6]) {
      const report = await fitPoints(
        40,
        6,
        (i, t) => {
          const bend = i > 20 ? 0.2 * t : 0;
          return [
            scale * (i - 20) * 0.1 * Math.cos(bend),
            scale * (i - 20) * 0.1 * Math.sin(bend),
            scale * (i % 3) * 0.1,
          ];
        },
        2,
      );
      if ('error' in report) errors.push(report.error.eRms);
    }
    expect(errors).toHaveLength(3);
    for (const error of errors) expect(error).toBeCloseTo(errors[0], 2);
  });

  it('one frame, one vertex', async () => {
    expect(await fitPoints(5, 1, (i) => [i, i % 2, 0])).toBeInstanceOf(UsageError);
    const point = await fitPoints(1, 2, (_, t) => [t, 0, 0]);
    // A point has no surface that a GLB could hold.
    expect(point).toBeInstanceOf(PeltError);
  });
});
