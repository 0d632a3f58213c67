import { findDriver } from '@pelt/skin/dynamics';
import { swingScene } from '@pelt/testkit';

// A tail as a cache: shapes alone, and nothing that says what moves it.
const take = swingScene('tail').take({ kind: 'sway', seed: 1, strength: 0.5 }, { seconds: 1, fps: 30 });
const { rig, clip, vertices } = findDriver(take.sequence);
if (rig.bones.length !== 1 || clip.times.length !== 31) throw new Error('one joint, moved in every frame');

// It is found at the root of the tail, and moves as the character did that carries it.
const off = clip.transforms.map((x, k) => Math.abs(x - take.clip.transforms[k]));
if (vertices.length < 4 || Math.max(...off) > 0.03) throw new Error('the root of the tail drives it');
