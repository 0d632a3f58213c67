import { FrameFiles, scanObjFrame } from '@pelt/io';
import { CancelledError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { PARALLEL_BYTES, readAnimation } from '../../src/input/read-animation.ts';
import type { ScanFrames } from '../../src/job.ts';
import { utf8 } from '../workspace.ts';

const S = 6;
const obj = (t: number) => utf8(`v ${t} 0 0\nv 1 ${t} 0\nv 0 1 ${t}\nf 1 2 3\n`);
/** The same faces in other words. */
const spelt = (t: number) => utf8(`v ${t} 0 0\nv 1 ${t} 0\nv 0 1 ${t}\nf  1  2  3\n`);

function frames(texts: Record<number, Uint8Array> = {}) {
  const bytes = (t: number) => texts[t] ?? obj(t);
  const source = () =>
    new FrameFiles(Array.from({ length: S }, (_, t) => ({ name: `f-${t}.obj`, bytes: () => bytes(t) })));
  const files = Array.from({ length: S }, (_, t) => ({
    path: `f-${t}.obj`,
    format: 'obj' as const,
    bytes: PARALLEL_BYTES,
  }));
  return { source, files, bytes };
}

/** Scans as threads do, in an order of its own; stops at the first that fails. */
function scanner(bytes: (t: number) => Uint8Array, seen: string[] = []): ScanFrames {
  return async (paths, vertices, { signal, scanned }) => {
    for (const [k, path] of [...paths.entries()].reverse()) {
      await undefined;
      if (signal?.aborted) return;
      seen.push(path);
      const positions = new Float32Array(3 * vertices);
      try {
        scanned(k, positions, scanObjFrame(bytes(Number(/\d+/.exec(path)?.[0])), vertices, path, positions));
      } catch {
        return;
      }
    }
  };
}

describe('readAnimation', () => {
  it('gives the same in parallel as one after the other, of all frames or some', async () => {
    const { source, files, bytes } = frames();
    for (const chosen of [undefined, Uint32Array.of(1, 3, 4)]) {
      const seen: string[] = [];
      const plain = await readAnimation(source(), chosen, files, {});
      const parallel = await readAnimation(source(), chosen, files, { scanFrames: scanner(bytes, seen) });
      expect(parallel).toEqual(plain);
      expect(seen).toEqual(chosen ? ['f-4.obj', 'f-3.obj'] : ['f-5.obj', 'f-4.obj', 'f-3.obj', 'f-2.obj', 'f-1.obj']);
    }
  });

  it('reads faces here that it does not know by their text', async () => {
    const { source, files, bytes } = frames({ 2: spelt(2), 4: spelt(4) });
    const parallel = await readAnimation(source(), undefined, files, { scanFrames: scanner(bytes) });
    expect(parallel).toEqual(await readAnimation(source(), undefined, files, {}));
  });

  it.each([
    ['another mesh', { 2: utf8('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\n') }, 'triangle 0 is not that of the rest pose'],
    ['too few vertices', { 2: utf8('v 0 0 0\nf 1 1 1\n') }, "'f-2.obj': 1 vertices"],
    ['no number', { 2: utf8('v 0 x 0\n'), 4: utf8('v y 0 0\n') }, "'f-2.obj', line 1: 'x' is not"],
  ])('refuses %s with the error of the first such file', async (_, texts, message) => {
    const { source, files, bytes } = frames(texts);
    const parallel = readAnimation(source(), undefined, files, { scanFrames: scanner(bytes) });
    await expect(parallel).rejects.toThrow(message);
    await expect(readAnimation(source(), undefined, files, {})).rejects.toThrow(message);
  });

  it('starts no threads for little, or for PLY', async () => {
    const { source, files } = frames();
    const scanFrames: ScanFrames = () => Promise.reject(new Error('threads'));
    const small = files.map((file) => ({ ...file, bytes: 100 }));
    const mixed = files.map((file, t) => (t === 3 ? { ...file, format: 'ply' as const } : file));
    for (const given of [small, mixed]) await readAnimation(source(), undefined, given, { scanFrames });
  });

  it('can be cancelled', async () => {
    const { source, files, bytes } = frames();
    const signal = { aborted: false };
    const scanFrames: ScanFrames = async (paths, vertices, watcher) => {
      signal.aborted = true;
      await scanner(bytes)(paths, vertices, watcher);
    };
    await expect(readAnimation(source(), undefined, files, { scanFrames }, { signal })).rejects.toThrow(CancelledError);
  });
});
