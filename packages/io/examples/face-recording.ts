import { matchRecording, readFaceRecording } from '@pelt/io';

const csv = 'Timecode,BlendShapeCount,EyeBlinkLeft,JawOpen\n01:02:03:59.0,2,0.25,0\n01:02:04:00.0,2,0.5,1\n';
const recording = readFaceRecording(new TextEncoder().encode(csv), { name: 'take.csv' });
const { clip, missing } = matchRecording(recording, ['jawOpen', 'eyeBlink_L', 'cheekPuff']);
if (clip.values[3 + 1] !== 0.5 || missing.join() !== 'cheekPuff') throw new Error('sliders are found by name');
