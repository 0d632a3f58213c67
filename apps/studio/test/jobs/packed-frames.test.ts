import { readPc2, writePc2 } from '@pelt/io';
import { chainScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { packExample, packFrames } from '../../scripts/pack-example.mjs';
import { unpackFrames } from '../../src/jobs/packed-frames.ts';

const { sequence } = chainScene({ joints: ['hinge', 'ball'], frames: 20 });
const pc2 = new Uint8Array(writePc2(sequence, { fps: 30 }));
const unpack = async (packed: Uint8Array) => new Uint8Array(await unpackFrames(Uint8Array.from(packed).buffer));

describe('packed frames', () => {
  it('are those of the cache, to a step of 2⁻¹⁵ of the largest coordinate', async () => {
    const packed = packFrames(pc2);
    const back = await unpack(packed);
    const [was, is] = [readPc2(pc2), readPc2(back)];
    const largest = was.frames.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    expect(is.frames).toHaveLength(was.frames.length);
    const worst = was.frames.reduce((most, x, k) => Math.max(most, Math.abs(x - is.frames[k])), 0);
    expect(worst).toBeLessThanOrEqual(largest / 2 ** 14);
    expect(packed.length).toBeLessThan(pc2.length / 2);
  });

  it('are the same bytes when packed again', async () => {
    const packed = packFrames(pc2);
    expect(packFrames(await unpack(packed))).toEqual(packed);
  });

  it('may be none, or all zero', async () => {
    const empty = pc2.slice(0, 32);
    new DataView(empty.buffer).setInt32(28, 0, true);
    expect(await unpack(packFrames(empty))).toEqual(empty);
    const zero = pc2.slice();
    zero.fill(0, 32);
    expect(await unpack(packFrames(zero))).toEqual(zero);
  });

  it('are of caches alone', () => {
    expect(packExample('a.obj', 'v 0 0 0')).toEqual(['a.obj', 'v 0 0 0']);
    expect(packExample('a.pc2', pc2)[0]).toBe('a.pc2.packed');
  });
});
