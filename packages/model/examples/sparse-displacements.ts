import { denseDisplacements, sparseDisplacements } from '@pelt/model';

// One displacement of three vertices, of which it moves the second.
const displacements = Float32Array.of(0, 0, 0, 0, 0, 127, 0, 0, 0);
const sparse = sparseDisplacements(displacements, Uint16Array.of(0, 4, 0));
if (sparse.vertices.join() !== '1' || sparse.displacements.length !== 3) throw new Error('one vertex, three bytes');

const dense = denseDisplacements('example', sparse, 1, 3);
if (dense.displacements.join() !== displacements.join() || dense.axes[1] !== 4) throw new Error('as it was');
