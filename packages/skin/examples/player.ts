import { type Character, IDENTITY_TRANSFORM, poseFromJoints } from '@pelt/model';
import { playerOf } from '@pelt/skin/play/runtime';

const mesh = {
  name: 'strip',
  positions: Float32Array.of(0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0),
  triangles: Uint32Array.of(0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3),
};
const character: Character = {
  name: 'strip',
  mesh,
  joints: [
    { name: 'upper', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) },
    { name: 'lower', parent: 0, rest: Float64Array.of(1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0) },
  ],
  // Any other kind of skin is played by the same calls.
  skin: {
    kind: 'dual-quaternion',
    weights: {
      slots: 2,
      bones: Uint16Array.of(0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0),
      weights: Float32Array.of(1, 0, 1, 0, 0.5, 0.5, 0.5, 0.5, 1, 0, 1, 0),
    },
  },
  morphs: [],
  clips: [],
};
const player = playerOf(character);
const { transforms } = poseFromJoints(character.joints, { lower: { degrees: [0, 0, 90] } });
const positions = player.positions(transforms, undefined, new Float32Array(mesh.positions.length));
const normals = player.normals(positions, new Float32Array(mesh.positions.length));

if (Math.abs(positions[13] - 1) > 1e-6) throw new Error('the end of the strip is one above the elbow');
if (Math.abs(normals[2] - 1) > 1e-6) throw new Error('the strip still looks along z');
