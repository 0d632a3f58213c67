import { describe, expect, it } from 'vitest';
import { quantise } from '../quantise.mjs';

describe('quantise', () => {
  it('keeps few colours exactly', () => {
    const colours = [
      [10, 20, 30],
      [200, 100, 0],
      [245, 245, 242],
    ];
    const rgb = Uint8Array.from({ length: 300 }, (_, k) => colours[Math.floor(k / 3) % 3][k % 3]);
    const { palette, indices } = quantise({ width: 10, height: 10, rgb });
    const back = Array.from(indices).flatMap((index) => [...palette.subarray(3 * index, 3 * index + 3)]);
    expect(back).toEqual([...rgb]);
  });

  it('stays close on a smooth ramp, and leaves a flat ground flat', () => {
    const width = 128;
    const rgb = new Uint8Array(width * width * 3).fill(245);
    for (let k = width; k < (width * width) / 2; k++) rgb.set([k % 128, 128 - (k % 128), (k >> 7) * 2], 3 * k);
    const { palette, indices } = quantise({ width, height: width, rgb });
    expect(palette.length).toBeLessThanOrEqual(768);
    const ground = new Set(indices.subarray(indices.length / 2));
    expect(ground.size).toBe(1);
    for (const index of ground) expect([...palette.subarray(3 * index, 3 * index + 3)]).toEqual([245, 245, 245]);
    let sum = 0;
    for (let k = 0; k < rgb.length; k++) sum += (rgb[k] - palette[3 * indices[Math.floor(k / 3)] + (k % 3)]) ** 2;
    expect(Math.sqrt(sum / rgb.length)).toBeLessThan(5);
  });
});
