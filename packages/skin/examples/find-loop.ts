import { findLoop } from '@pelt/skin/reduce';
import { creatureScene } from '@pelt/testkit';

const { rig, clip } = creatureScene({ frames: 8, detail: 0.1 });
const times = Float64Array.from({ length: 16 }, (_, t) => t / 30);
const twice = { ...clip, times, transforms: Float64Array.of(...clip.transforms, ...clip.transforms) };
const loop = findLoop({ rig, clip: twice });

if (loop?.period !== 8 || loop.clip.times.length !== 9) throw new Error('a period of eight frames, closed');
