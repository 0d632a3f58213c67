import { matchRecording, readFaceRecording } from '@pelt/io';
import { describe, expect, it } from 'vitest';

const read = (text: string, options = {}) => readFaceRecording(new TextEncoder().encode(text), options);

describe('a recording of a face', () => {
  it('has the names and values of its columns, at the rate of its time codes', () => {
    const rows = [29, 0, 1].map((frame, k) => `00:00:0${k === 0 ? 1 : 2}:${frame}.0,2,${k / 2},1`);
    const found = read(`Timecode,BlendShapeCount,JawOpen,EyeBlinkLeft\n${rows.join('\n')}\n`, { name: 'a/take 3.csv' });
    expect(found.name).toBe('take 3');
    expect(found.names).toEqual(['JawOpen', 'EyeBlinkLeft']);
    expect([...found.values]).toEqual([0, 1, 0.5, 1, 1, 1]);
    for (const [k, t] of [0, 1 / 30, 2 / 30].entries()) expect(found.times[k]).toBeCloseTo(t, 9);
  });

  it('reads seconds, milliseconds, and none', () => {
    expect([...read('time,a\n5,0\n5.04,1\n').times].map((t) => Math.round(1e6 * t))).toEqual([0, 40_000]);
    expect([...read('timestamp;a\n1000;0\n1040;1\n').times].map((t) => Math.round(1e6 * t))).toEqual([0, 40_000]);
    expect([...read('a,b\n0,1\n1,0\n', { fps: 25 }).times]).toEqual([0, 1 / 25]);
  });

  it('keeps the last value where one is missing, and says so', () => {
    const warnings: string[] = [];
    const found = read('a,b\n,0.25\n1,nan\n', { onWarning: (message: string) => warnings.push(message) });
    expect([...found.values]).toEqual([0, 0.25, 1, 0.25]);
    expect(warnings.join()).toMatch(/missing.*2 times/);
  });

  it.each([
    ['', /no rows/],
    ['a,b\n', /no rows/],
    ['0,1\n1,2\n', /first line must name/],
    ['a,b\n0,1,2\n', /2 names, the rows 3/],
    ['a,b\n0,1\n0\n', /row 2 has 1/],
    ['a,a\n0,1\n', /two columns/],
    ['a,b\n0,x\n1,2\ny,3\n', /not a number/],
  ])('refuses %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe('sliders of a recording', () => {
  it('are found however sides and words are written', () => {
    const recording = read('MouthSmileLeft,mouthSmile_R,Jaw Open,tongueOut\n1,2,3,4\n');
    const { clip, missing, unused } = matchRecording(recording, [
      'mouthSmile_L',
      'face.MouthSmileRight',
      'jawOpen',
      'browUp',
    ]);
    expect([...clip.values]).toEqual([1, 2, 3, 0]);
    expect(missing).toEqual(['browUp']);
    expect(unused).toEqual(['tongueOut']);
  });
});
