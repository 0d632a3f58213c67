import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CancelledError, frameAt, InputError, UnsupportedError, UsageError, validateMeshSequence } from '@pelt/model';
import { realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { type FrameFile, sequenceFromFrames } from '../src/frames.ts';
import { readObj } from '../src/obj/read-obj.ts';
import { writePly } from '../src/ply/write-ply.ts';
import { bytesOf, tetrahedron } from './meshes.ts';

/** A triangle whose first corner is at x. */
const triangle = (x: number, face = 'f 1 2 3') => `v ${x} 0 0\nv 1 0 0\nv 0 1 0\n${face}\n`;
const obj = (number: number | string, text: string): FrameFile => ({
  name: `run-${number}.obj`,
  bytes: bytesOf(text),
});

function assemble(files: readonly FrameFile[], options: Parameters<typeof sequenceFromFrames>[1] = {}) {
  const warnings: string[] = [];
  const sequence = sequenceFromFrames(files, { ...options, onWarning: (message) => warnings.push(message) });
  validateMeshSequence(sequence);
  return { sequence, warnings };
}

describe('sequenceFromFrames', () => {
  it('takes the first frame for the rest pose, in natural order', () => {
    const { sequence, warnings } = assemble(
      [11, 9, 10].map((x) => obj(x, triangle(x))),
      { fps: 10 },
    );
    expect(sequence.name).toBe('run-9');
    expect(sequence.rest.positions[0]).toBe(9);
    expect([0, 1, 2].map((t) => frameAt(sequence, t)[0])).toEqual([9, 10, 11]);
    expect([...sequence.times]).toEqual([0, 0.1, 0.2]);
    expect(warnings).toEqual([]);
  });

  it('takes a rest pose and a name', () => {
    const rest = readObj(bytesOf(triangle(0)), { name: 'rest.obj' });
    const { sequence } = assemble([obj(1, triangle(5))], { rest, name: 'run' });
    expect(sequence.rest).toBe(rest);
    expect(sequence.name).toBe('run');
    expect([...sequence.frames]).toEqual([5, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  it('opens one file at a time, each once', () => {
    const opened: string[] = [];
    const files = [2, 1, 3].map((k): FrameFile => {
      const name = `run-${k}.obj`;
      const bytes = () => {
        opened.push(name);
        return bytesOf(triangle(k));
      };
      return { name, bytes };
    });
    assemble(files);
    expect(opened).toEqual(['run-1.obj', 'run-2.obj', 'run-3.obj']);
  });

  it('names a gap, and keeps its time', () => {
    const one = assemble(
      [1, 2, 4].map((k) => obj(k, triangle(k))),
      { fps: 10 },
    );
    expect(one.warnings).toEqual([
      "frames: frame 3 is missing between 'run-2.obj' and 'run-4.obj'; the time between is kept",
    ]);
    expect([...one.sequence.times]).toEqual([0, 0.1, 0.3]);
    const many = assemble(['01', '02', '10'].map((k) => obj(k, triangle(0))));
    expect(many.warnings).toEqual([
      "frames: frames 3 to 9 are missing between 'run-02.obj' and 'run-10.obj'; the time between is kept",
    ]);
    const stride = assemble([2, 4, 8].map((k) => obj(k, triangle(k))));
    expect(stride.warnings).toEqual([
      "frames: frame 6 is missing between 'run-4.obj' and 'run-8.obj'; the time between is kept",
    ]);
    expect(assemble([2, 4, 6].map((k) => obj(k, triangle(k)))).warnings).toEqual([]);
  });

  it('knows nothing of gaps where names are not numbered alike', () => {
    const files = ['a', 'b7', 'c900'].map((name) => obj(name, triangle(0)));
    const { sequence, warnings } = assemble(files, { fps: 1 });
    expect([...sequence.times]).toEqual([0, 1, 2]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['fewer vertices', 'v 0 0 0\nv 1 0 0\n', "OBJ 'run-2.obj': 2 vertices, but the rest pose has 3"],
    ['more vertices', `v 9 9 9\n${triangle(0)}`, "OBJ 'run-2.obj': 4 vertices, but the rest pose has 3"],
    ['more triangles', triangle(0, 'f 1 2 3\nf 1 3 2'), "OBJ 'run-2.obj': 2 triangles, but the rest pose has 1"],
    ['other triangles', triangle(0, 'f 1 3 2'), "OBJ 'run-2.obj': triangle 0 is not that of the rest pose"],
    ['damage', triangle(0, 'f 1 2 9'), "OBJ 'run-2.obj': face 1 names vertex 9, but the file has 3"],
  ])('refuses a frame with %s', (_, text, message) => {
    const files = [obj(1, triangle(0)), obj(2, text)];
    expect(() => assemble(files)).toThrow(InputError);
    expect(() => assemble(files)).toThrow(message);
  });

  it('takes faces spelt another way, and frames of points alone', () => {
    const files = [obj(1, triangle(1)), obj(2, triangle(2, 'vt 0 0\nf 1/1 2/1 3/1')), obj(3, triangle(3, ''))];
    expect(assemble(files).sequence.frames[9]).toBe(2);
  });

  it('cuts polygons as the rest pose does, however they move', () => {
    // A dart whose reflex corner moves to the other side.
    const dart = (x: number) => `v 0 0 0\nv 2 1 0\nv 0 2 0\nv ${x} 1 0\nf 1 2 3 4\n`;
    const { sequence } = assemble([obj(1, dart(0.5)), obj(2, dart(-0.5))]);
    expect(sequence.rest.triangles).toHaveLength(6);
  });

  it('mixes formats by content', () => {
    const mesh = tetrahedron();
    const ply = (name: string) => ({ name, bytes: writePly(mesh) });
    expect(assemble([ply('run-1.ply'), ply('run-2.obj')]).sequence.times).toHaveLength(2);
    const other = { name: 'run-2.ply', bytes: writePly({ ...mesh, triangles: mesh.triangles.toReversed() }) };
    expect(() => assemble([ply('run-1.ply'), other])).toThrow('triangle 0 is not that of the rest pose');
    const fewer = { name: 'run-2.ply', bytes: writePly({ ...mesh, positions: new Float32Array(15) }) };
    expect(() => assemble([ply('run-1.ply'), fewer])).toThrow("frame 'run-2.ply': 5 vertices, but the rest pose has 4");
  });

  it('refuses what cannot be a frame', () => {
    expect(() => assemble([])).toThrow(UsageError);
    expect(() => assemble([obj(1, triangle(0))], { fps: 0 })).toThrow(UsageError);
    expect(() => assemble([{ name: 'a.pc2', bytes: bytesOf('POINTCACHE2\0') }])).toThrow(UnsupportedError);
    expect(() => assemble([obj(1, '')])).toThrow("'run-1.obj' is empty");
  });

  it('tells its progress and stops when asked', () => {
    const files = [1, 2, 3].map((k) => obj(k, triangle(k)));
    const fractions: number[] = [];
    const signal = { aborted: false };
    const onProgress = ({ fraction }: { fraction: number }) => {
      fractions.push(fraction);
      signal.aborted = fractions.length === 2;
    };
    expect(() => sequenceFromFrames(files, {}, { signal, onProgress })).toThrow(CancelledError);
    expect(fractions).toEqual([1 / 3, 2 / 3]);
  });

  it.skipIf(!realData('horse-poses/rest.obj')).each(['horse-poses', 'cat-poses', 'lion-poses'])(
    'reads the poses of %s',
    (folder) => {
      const path = dirname(realData(`${folder}/rest.obj`) ?? '');
      const names = readdirSync(path).filter((name) => name.startsWith('pose-'));
      const rest = readObj(readFileSync(join(path, 'rest.obj')), { name: 'rest.obj' });
      const files = names.map((name) => ({ name, bytes: () => readFileSync(join(path, name)) }));
      const { sequence, warnings } = assemble(files, { rest });
      expect(sequence.times).toHaveLength(names.length);
      expect(warnings).toEqual([]);
    },
  );
});
