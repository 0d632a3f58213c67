import { type TetMesh, tetMeshVolume, tetrahedronCount, tetrahedronDeterminant, validateTetMesh } from '@pelt/model';

// The corner of a unit cube.
const body: TetMesh = {
  name: 'corner',
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  tetrahedra: Uint32Array.of(0, 1, 2, 3),
  surface: Uint32Array.of(0, 1, 2, 3),
};
validateTetMesh(body); // throws an InputError for a flat or inverted tetrahedron
if (tetrahedronCount(body) !== 1) throw new Error('one tetrahedron');
if (tetrahedronDeterminant(body.positions, body.tetrahedra, 0) !== 1) throw new Error('six times its volume');
if (tetMeshVolume(body) !== 1 / 6) throw new Error('a sixth of the cube');
