/** OBJ frames scanned in threads, through the real command. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPc2 } from '@pelt/io';
import { describe, expect, it } from 'vitest';
import { pelt } from '../built-pelt.ts';
import { fixtureFolder } from '../fixture-folder.ts';

const [WIDTH, HEIGHT, S] = [60, 50, 50];
const N = WIDTH * HEIGHT;

/** Coordinates that a float32 holds exactly, and comments that make the files large enough for threads. */
function sheet(t: number): string {
  const lines = Array.from({ length: N }, (_, i) => `v ${i % WIDTH} ${Math.floor(i / WIDTH)} ${(i * t) % 257}`);
  for (let i = 0; i + WIDTH + 1 < N; i++) {
    if (i % WIDTH < WIDTH - 1) lines.push(`f ${i + 1} ${i + 2} ${i + WIDTH + 2} ${i + WIDTH + 1}`);
  }
  return `${`# ${'-'.repeat(97)}\n`.repeat(1000)}${lines.join('\n')}\n`;
}

const { folder, ownFolder } = fixtureFolder((path) => {
  mkdirSync(join(path, 'frames'));
  for (let t = 0; t < S; t++) writeFileSync(join(path, 'frames', `f-${t + 1}.obj`), sheet(t));
});

describe('frames scanned in threads', () => {
  it('are all in their places', async () => {
    const out = ownFolder();
    const { code } = await pelt(['convert', join(folder, 'frames'), '-o', 'all.pc2'], out);
    expect(code).toBe(0);
    const { points, frames } = readPc2(readFileSync(join(out, 'all.pc2')));
    expect([points, frames.length]).toEqual([N, 3 * N * S]);
    const wrong = frames.findIndex((value, k) => {
      const [t, i, d] = [Math.floor(k / (3 * N)), Math.floor(k / 3) % N, k % 3];
      return value !== [i % WIDTH, Math.floor(i / WIDTH), (i * t) % 257][d];
    });
    expect(wrong).toBe(-1);
  });

  it('are sampled', async () => {
    const out = ownFolder();
    await pelt(['convert', join(folder, 'frames'), '--sample', '4', '-o', 'some.pc2'], out);
    const { times, frames } = readPc2(readFileSync(join(out, 'some.pc2')));
    // Frames 1, 17, 34 and 50 of 50, by the height of the second vertex, which is the frame's number from 0.
    expect(times.length).toBe(4);
    expect([0, 1, 2, 3].map((k) => frames[3 * N * k + 5])).toEqual([0, 16, 33, 49]);
  });

  it('give the error of the first that is wrong', async () => {
    const own = ownFolder();
    for (const t of [12, 40]) writeFileSync(join(own, 'frames', `f-${t}.obj`), `${sheet(1)}v 1 2 nan\n`);
    const { code, stderr } = await pelt(['convert', 'frames', '-o', 'all.pc2'], own);
    expect(stderr).toMatch(/^error: OBJ 'frames\/f-12\.obj', line \d+: 'nan' is not a finite 32-bit number/);
    expect(code).toBe(2);
  });
});
