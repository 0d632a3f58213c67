import { posesOf } from '@pelt/skin/envelope/runtime';

// Two example poses of two bones, as an envelope stores them.
const poses = Float64Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
const [rest, bent] = posesOf({ poses, displacements: new Float32Array(0) }, 2);
if (rest.length !== 6 || bent[5] !== 1) throw new Error('three numbers per bone and pose');
