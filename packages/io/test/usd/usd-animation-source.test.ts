/** Caches of points in USD: frames by range, between samples, with transforms that move. */
import { describe, expect, it } from 'vitest';
import { type ByteSource, hasUsdFrames, openUsdAnimation, readFrames, sourceOfBytes } from '../../src/index.ts';
import { readUsda } from '../../src/usd/read/read-usda.ts';
import { writeCrate } from './crate-writer.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

function cache(samples: string, more = '', head = ''): Uint8Array<ArrayBuffer> {
  return utf8(`#usda 1.0
( metersPerUnit = 1
  timeCodesPerSecond = 10 )
def Xform "top" { ${more}
  def Mesh "m" {
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    ${head}
    point3f[] points.timeSamples = { ${samples} }
  }
}`);
}

const SAMPLES = '0: [(0,0,0), (1,0,0), (0,1,0)], 10: [(0,0,0), (3,0,0), (0,1,4)], 15: [(0,0,0), (3,0,0), (0,1,8)]';

describe('openUsdAnimation', () => {
  it.each(['text', 'crate'])('reads frames of %s', async (form) => {
    const text = cache(SAMPLES);
    const bytes = form === 'text' ? text : writeCrate(readUsda(text));
    expect(hasUsdFrames(bytes)).toBe(true);
    const animation = await openUsdAnimation(bytes, { name: 'c.usd' });
    const { frames, times } = readFrames(animation);
    expect([...times]).toEqual([0, 1, 1.5]);
    expect([...frames]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 3, 0, 0, 0, 1, 4, 0, 0, 0, 3, 0, 0, 0, 1, 8]);
    const some = new Float32Array(3);
    animation.readFrame(2, some, [2]);
    expect([...some]).toEqual([0, 1, 8]);
  });

  it('resamples, and moves with what is above', async () => {
    const moving =
      'double3 xformOp:translate.timeSamples = { 0: (0,0,0), 10: (0, 10, 0) }\nuniform token[] xformOpOrder = ["xformOp:translate"]';
    const animation = await openUsdAnimation(cache(SAMPLES, moving), { fps: 2 });
    expect([...animation.times]).toEqual([0, 0.5, 1, 1.5]);
    const { frames } = readFrames(animation);
    expect([...frames.subarray(9, 18)]).toEqual([0, 5, 0, 2, 5, 0, 0, 6, 2]);
    expect([...frames.subarray(27, 30)]).toEqual([0, 10, 0]);
  });

  it('reads of a crate what a frame needs, and no more', async () => {
    const n = 600;
    const grid = Array.from({ length: n }, (_, k) => `(${k % 30}, ${Math.floor(k / 30)}, 0)`).join(', ');
    const samples = Array.from({ length: 40 }, (_, t) => `${t}: [${grid.replace('(0, 0, 0)', `(0, 0, ${t})`)}]`).join(
      ', ',
    );
    const crate = writeCrate(readUsda(cache(samples)));
    let read = 0;
    const bytes = sourceOfBytes(crate);
    const source: ByteSource = {
      size: bytes.size,
      read: (from, count) => {
        read += count;
        return bytes.read(from, count);
      },
    };
    const animation = await openUsdAnimation(source);
    const opening = read;
    expect(opening).toBeLessThan(crate.length / 4);
    const out = new Float32Array(3 * n);
    animation.readFrame(17, out);
    expect(out[2]).toBe(17);
    expect(read - opening).toBeLessThan(12 * n + 100);
  });

  it('is not for scenes without samples of points', () => {
    expect(hasUsdFrames(cache('0: [(0,0,0), (1,0,0), (0,1,0)]'))).toBe(false);
    expect(() => hasUsdFrames(utf8('x'))).toThrow(/neither text nor a crate/);
  });
});
