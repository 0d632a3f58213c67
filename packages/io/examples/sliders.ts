import { readGltf, readObj, readSliders, sampleChannel, slidersExtension, writeSkinnedGlb } from '@pelt/io';
import { IDENTITY_TRANSFORM, type Rig, type Sliders } from '@pelt/model';

// A triangle whose bone goes up by 2 where the slider is fully on: element 7 is the translation along y.
const rig: Rig = {
  name: 'triangle',
  mesh: readObj(new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')),
  bones: [{ name: 'bone', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
  weights: { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) },
};
const sliders: Sliders = {
  names: ['up'],
  starts: Uint32Array.of(0, 1),
  bones: Uint16Array.of(0),
  elements: Uint8Array.of(7),
  values: Float32Array.of(2),
};

const { bytes } = await writeSkinnedGlb({ rig, clips: [], extensions: [slidersExtension(sliders)] });
const read = readSliders(await readGltf(bytes));
// Maps are stored in steps, far below what is seen.
if (read?.sliders.names[0] !== 'up' || Math.abs(read.sliders.values[0] - 2) > 1e-5) {
  throw new Error('the slider is in the file');
}

// Channels of a file are sampled at any moment.
const half = sampleChannel(
  {
    node: 0,
    path: 'weights',
    interpolation: 'LINEAR',
    times: Float32Array.of(0, 1),
    size: 1,
    values: Float32Array.of(0, 1),
  },
  0.5,
  new Float64Array(1),
);
if (half[0] !== 0.5) throw new Error('half on in the middle');
