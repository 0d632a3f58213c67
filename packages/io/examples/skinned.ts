import { FrameBaker, readGltf, readObj, readRig, writeSkinnedGlb } from '@pelt/io';
import { type Clip, IDENTITY_TRANSFORM, type Rig, uniformTimes } from '@pelt/model';

// A square bound to one bone, which moves it along x.
const mesh = readObj(new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n'));
const rig: Rig = {
  name: 'square',
  mesh,
  bones: [{ name: 'bone', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
  weights: { slots: 1, bones: new Uint16Array(4), weights: new Float32Array(4).fill(1) },
};
const shifted = IDENTITY_TRANSFORM.map((value, k) => (k === 3 ? 0.5 : value));
const transforms = Float64Array.of(...IDENTITY_TRANSFORM, ...shifted);
const clip: Clip = { name: 'slide', times: uniformTimes(2, 30), transforms };

const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
const read = readRig(await readGltf(bytes));
if (read.rig.bones[0].name !== 'bone' || read.clips[0].transforms[12 + 3] !== 0.5) throw new Error('the same rig');

// Any time of an animation, on all vertices.
const asset = await readGltf(bytes);
const frame = new FrameBaker(asset).bake(asset.animations[0], 1 / 30, new Float32Array(12));
if (Math.abs(Math.min(frame[0], frame[3], frame[6], frame[9]) - 0.5) > 1e-6) throw new Error('moved along x');
