import { deformLinear } from '@pelt/skin/blending';
import { cageModel } from '@pelt/skin/reduce';

// A vertex halfway between two control points, the second of which moves up.
const { rig, clip } = cageModel({
  mesh: { name: 'point', positions: Float32Array.of(0.5, 0, 0), triangles: new Uint32Array(0) },
  weights: { slots: 2, bones: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.5) },
  cage: Float32Array.of(0, 0, 0, 1, 0, 0),
  frames: Float32Array.of(0, 0, 0, 1, 2, 0),
  times: Float64Array.of(0),
});
const posed = deformLinear(rig.mesh.positions, rig.weights, clip.transforms, new Float32Array(3));

if (posed[0] !== 0.5 || posed[1] !== 1) throw new Error('the vertex follows half of the way');
