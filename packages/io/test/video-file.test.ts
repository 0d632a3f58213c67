import { UnsupportedError } from '@pelt/model';
import { expect, it } from 'vitest';
import { detectFormat, readMotion } from '../src/index.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

it.each([
  ['an MP4', '\0\0\0\x18ftypmp42'],
  ['a WebM', '\x1aE\xdf\xa3 webm....'],
  ['an AVI', 'RIFF1234AVI LIST'],
])('%s is named as a video, with the cure', (_, head) => {
  expect(() => readMotion(bytes(head), { name: 'walk.mp4' })).toThrow(UnsupportedError);
  expect(() => readMotion(bytes(head), { name: 'walk.mp4' })).toThrow("'walk.mp4' is a video; track the performer");
  expect(() => detectFormat('walk.mp4', bytes(head))).toThrow('is a video');
});
