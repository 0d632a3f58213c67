import { FrameBaker, readGltf, readObj, writeSkinnedGlb } from '@pelt/io';
import { type Clip, IDENTITY_TRANSFORM, type Rig, uniformTimes } from '@pelt/model';
import { compressGlb, rewriteGltf } from '@pelt/pack';

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

// Smaller, for readers with the meshopt decoder, and within an error of the surface.
const { bytes: small, error } = await compressGlb(bytes, { maxError: 1e-4 });
const baker = new FrameBaker(await readGltf(small));
const frame = baker.bake((await readGltf(small)).animations[0], 1 / 30, new Float32Array(12));
if (error > 1e-4 || Math.abs(Math.min(frame[0], frame[3], frame[6], frame[9]) - 0.5) > 1e-3) throw new Error('near');

// The same file again, closed after its first frame.
const { bytes: cut } = await rewriteGltf({ bytes, ends: [1 / 60] });
if ((await readGltf(cut)).animations[0].end > 0.02) throw new Error('it ends earlier');
