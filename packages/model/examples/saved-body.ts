import { type SavedBody, validateSavedBody } from '@pelt/model';

// One tetrahedron, whose corners are the surface, held by one joint.
const solid: SavedBody = {
  body: {
    name: 'corner',
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    tetrahedra: Uint32Array.of(0, 1, 2, 3),
    surface: Uint32Array.of(0, 1, 2, 3),
  },
  skin: { slots: 1, bones: new Uint16Array(4), weights: new Float32Array(4).fill(1) },
  fixed: Uint32Array.of(0),
  yielding: false,
  settings: {},
};
validateSavedBody(solid, 4, 1);

let refused = false;
try {
  validateSavedBody(solid, 5, 1);
} catch {
  refused = true;
}
if (!refused) throw new Error('a body is of one surface');
