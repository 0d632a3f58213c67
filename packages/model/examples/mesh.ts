import {
  boundsOf,
  centerOf,
  diagonalOf,
  type Mesh,
  triangleCount,
  validateMesh,
  vertexCount,
  vertexNormals,
} from '@pelt/model';

// A right triangle in the plane z = 0.
const mesh: Mesh = {
  name: 'triangle',
  positions: Float32Array.of(0, 0, 0, 3, 0, 0, 0, 4, 0),
  triangles: Uint32Array.of(0, 1, 2),
};
validateMesh(mesh); // throws an InputError that names what is wrong
if (vertexCount(mesh) !== 3 || triangleCount(mesh) !== 1) throw new Error('one triangle of three vertices');

const bounds = boundsOf(mesh.positions); // { min: [0, 0, 0], max: [3, 4, 0] }
if (diagonalOf(bounds) !== 5 || centerOf(bounds)[1] !== 2) throw new Error('a box of 3 × 4');

// Area-weighted: each vertex has the cross product of the triangle's edges.
const normals = vertexNormals(mesh.positions, mesh.triangles, new Float64Array(9));
if (normals[2] !== 12) throw new Error('twice the area, along z');
