/** The viewer as its users call it; it reads through the built packages. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { decodePng } from '../png.mjs';

const script = join(import.meta.dirname, '../view.mjs');

describe('the viewer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pelt-view-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const view = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });

  const bone = { name: 'bone', parent: -1, rest: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] };
  const triangle = {
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
    triangles: [0, 1, 2],
    frames: [
      [0, 0, 0, 1, 0, 0, 0, 1, 0],
      [0, 0, 0, 1, 0, 0, 0, 1.2, 0],
    ],
    weights: { slots: 1, bones: [0, 0, 0], weights: [1, 1, 1] },
    bones: [bone],
    transforms: [bone.rest, bone.rest],
  };
  writeFileSync(join(folder, 'triangle.json'), JSON.stringify(triangle));

  it('draws frames side by side, with bones and the distance to another mesh', () => {
    const small = ['--width', '200', '--height', '60', '--samples', '1'];
    const { status, stderr } = view(
      'triangle.json',
      '--frame',
      '0,1',
      '--bones',
      '--heat',
      'triangle.json',
      ...small,
      '-o',
      'out.png',
    );
    expect([status, stderr]).toEqual([0, '']);
    const { width, rgb } = decodePng(readFileSync(join(folder, 'out.png')));
    expect(width).toBe(400);
    expect(new Set(rgb).size).toBeGreaterThan(50);
  });

  it.each([
    [['triangle.json', '--frame', '7'], /no frame 7; it has 2/],
    [['triangle.json', '--view', 'nowhere'], /--view nowhere: expected a name or X,Y,Z/],
    [['absent.obj'], /absent\.obj/],
  ])('says what is wrong with %j', (args, message) => {
    const { status, stderr } = view(...args, '-o', 'wrong.png');
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(join(folder, 'wrong.png'))).toBe(false);
  });
});
