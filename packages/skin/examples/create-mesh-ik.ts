import { openNumerics } from '@pelt/math';
import { createMeshIk } from '@pelt/skin/pose';
import { elbowScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { sequence } = elbowScene({ frames: 3, rings: 9, sides: 6 });
const ik = createMeshIk(sequence, {}, { numerics });
const { positions } = sequence.rest;
ik.setHandles([0, 30].map((vertex) => ({ vertex, target: positions.subarray(3 * vertex, 3 * vertex + 3) })));
ik.step();
const posed = ik.positions(new Float32Array(positions.length));
if (posed.some((value, k) => Math.abs(value - positions[k]) > 1e-4)) throw new Error('handles at rest move the mesh');
ik.dispose();
numerics.close();
