import { readGltf, readObj, readTwoLayer, twoLayerExtension, writeSkinnedGlb } from '@pelt/io';
import { IDENTITY_TRANSFORM, type Rig, type TwoLayerSkin } from '@pelt/model';

// A triangle bound to a virtual bone (joint 0) that is the mean of two bones (joints 1 and 2 of the file).
const rest = Float64Array.from(IDENTITY_TRANSFORM);
const rig: Rig = {
  name: 'triangle',
  mesh: readObj(new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')),
  bones: ['virtual', 'left', 'right'].map((name) => ({ name, parent: -1, rest })),
  weights: { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) },
};
const masters = { slots: 2, bones: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.5) };
const skin: TwoLayerSkin = { masters, vertices: rig.weights };

const { bytes } = await writeSkinnedGlb({ rig, clips: [], extensions: [twoLayerExtension(skin)] });
const layers = readTwoLayer(await readGltf(bytes));
if (layers?.masters.bones.join() !== '1,2') throw new Error('masters over all joints of the file');
