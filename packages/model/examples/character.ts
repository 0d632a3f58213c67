import { type Character, IDENTITY_TRANSFORM, linearRigOf, validateCharacter } from '@pelt/model';

// A triangle on one joint, with a morph target that lifts its last vertex.
const character: Character = {
  name: 'triangle',
  mesh: {
    name: 'triangle',
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    triangles: Uint32Array.of(0, 1, 2),
  },
  joints: [{ name: 'root', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
  skin: {
    kind: 'linear',
    weights: { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) },
  },
  morphs: [{ name: 'lift', object: 0, deltas: Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1) }],
  clips: [
    {
      name: 'lifted',
      times: Float64Array.of(0),
      transforms: Float64Array.from(IDENTITY_TRANSFORM),
      morphWeights: Float32Array.of(1),
    },
  ],
};
validateCharacter(character); // throws an InputError that names what is wrong

// Solvers of linear blending take its rig.
if (linearRigOf(character).weights.slots !== 1) throw new Error('the rig has the weights of the skin');
