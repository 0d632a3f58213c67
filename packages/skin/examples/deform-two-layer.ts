import { deformTwoLayer } from '@pelt/skin/reduce/runtime';

// One virtual bone, halfway between two bones, moves one vertex.
const skin = {
  masters: { slots: 2, bones: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.5) },
  vertices: { slots: 2, bones: Uint16Array.of(0, 0), weights: Float32Array.of(1, 0) },
};
const transforms = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 4, 0, 1, 0, 0, 0, 0, 1, 0);
const rest = Float32Array.of(1, 2, 3);
const posed = deformTwoLayer(rest, skin, transforms, new Float64Array(12), new Float32Array(3));

if (posed[0] !== 3 || posed[1] !== 2) throw new Error('it moves by half of the second bone');
