import { describe, expect, it } from 'vitest';
import {
  isFaceRecording,
  readFaceRecording,
  recordedColumns,
  writeFaceRecording,
} from '../../src/store/face-recording.ts';

/** As a phone app writes it: a timecode, a count, and names with a capital. */
const PHONE = [
  'Timecode,BlendShapeCount,EyeBlinkLeft,EyeBlinkRight,JawOpen,MouthSmileLeft',
  '12:00:01:30.000,61,0.1,0.2,0.5,0',
  '12:00:01:31.000,61,0.2,0.3,0.6,0.1',
  '12:00:02:00.000,61,0.3,0.4,0.7,0.2',
  '',
].join('\r\n');

describe('readFaceRecording', () => {
  it('reads timecodes of 60 frames a second and columns by any spelling of the sides', () => {
    const recording = readFaceRecording(PHONE, 'take.csv');
    expect(recording.times.map((time) => Math.round(60 * time))).toEqual([0, 1, 30]);
    expect(recordedColumns(recording, ['mouthSmile_L', 'jawOpen', 'tongueOut'])).toEqual([3, 2, -1]);
    expect(recording.values[1]).toEqual([0.2, 0.3, 0.6, 0.1]);
  });

  it('reads back what it writes', () => {
    const names = ['jawOpen', 'eyeBlink_L', 'browUp_R'];
    const text = writeFaceRecording(names, [{ jawOpen: 0.25 }, { eyeBlink_L: 1 }], 25);
    const { names: columns, times, values } = readFaceRecording(text, 'face.csv');
    expect(columns).toEqual(names);
    expect(times).toEqual([0, 0.04]);
    expect(values).toEqual([
      [0.25, 0, 0],
      [0, 1, 0],
    ]);
  });

  it('knows other tables from recordings, and says what is wrong in words', () => {
    expect(isFaceRecording(PHONE)).toBe(true);
    expect(isFaceRecording('name,price\napple,3')).toBe(false);
    expect(() => readFaceRecording('name,price\napple,3', 'list.csv')).toThrow(/not a recording of a face/);
    expect(() => readFaceRecording(PHONE.split('\r\n')[0], 'empty.csv')).toThrow(/no frames/);
    expect(() => readFaceRecording(PHONE.replace('0.6', 'much'), 'take.csv')).toThrow(/line 3 has much for JawOpen/);
  });

  it('goes on where the clock goes back', () => {
    const text = 'timestamp,jawOpen,eyeBlinkLeft,browInnerUp\n5,0,0,0\n5,1,0,0\n1,0,0,0\n';
    const { times } = readFaceRecording(text, 'clock.csv');
    expect(times[1]).toBeGreaterThan(0);
    expect(times[2]).toBeGreaterThan(times[1]);
  });
});
