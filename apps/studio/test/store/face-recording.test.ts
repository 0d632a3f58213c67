import { matchRecording, readFaceRecording } from '@pelt/io';
import { describe, expect, it } from 'vitest';
import { isFaceRecording, writeFaceRecording } from '../../src/store/face-recording.ts';

describe('recordings of a face', () => {
  it('are known by their names, whatever the program', () => {
    expect(isFaceRecording('Timecode,BlendShapeCount,EyeBlinkLeft,JawOpen,MouthSmileLeft\n')).toBe(true);
    expect(isFaceRecording('timestamp;jawOpen;eye_blink_left;browInnerUp')).toBe(true);
    expect(isFaceRecording('name,price\napple,3')).toBe(false);
    expect(isFaceRecording('')).toBe(false);
  });

  it('that are written here are read by the command', () => {
    const names = ['jawOpen', 'eyeBlink_L', 'browUp_R'];
    const text = writeFaceRecording(names, [{ jawOpen: 0.25 }, { eyeBlink_L: 1 }], 25);
    const recording = readFaceRecording(new TextEncoder().encode(text), { name: 'face.csv' });
    const { clip, missing } = matchRecording(recording, names);
    expect(missing).toEqual([]);
    expect([...clip.times]).toEqual([0, 0.04]);
    expect([...clip.values]).toEqual([0.25, 0, 0, 0, 1, 0]);
  });
});
