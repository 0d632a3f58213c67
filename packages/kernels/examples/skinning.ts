import { LinearBlend, PaletteProduct, VertexDisplacements } from '@pelt/kernels';
import { openNumerics } from '@pelt/math';

const numerics = await openNumerics();
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const shifted = [1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0]; // by 2 along x

// Two vertices and two bones; the second vertex follows both in equal shares.
const rest = Float32Array.of(0, 0, 0, 1, 0, 0);
const blend = new LinearBlend(numerics, rest, Uint16Array.of(0, 0, 0, 1), Float32Array.of(1, 0, 0.5, 0.5), 2);
const posed = blend.pose(Float64Array.of(...identity, ...shifted)); // n × 3, overwritten by the next call
if (posed.join() !== '0,0,0,2,0,0') throw new Error('half of the shift');

// One displacement on top, of the second vertex along y, of which its second bone has twice as much.
const given = {
  displacements: Float32Array.of(0, 0, 0, 0, 1, 0),
  axes: Uint16Array.of(0, 0),
  bones: Uint16Array.of(0, 0, 0, 1),
  weights: Float32Array.of(1, 0, 0.5, 0.5),
};
const displaced = new VertexDisplacements(numerics, given, { bones: 2, rotations: 1 }, blend.output);
displaced.add(Float64Array.of(1, 2), Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1));
// Displacements have 15 bits.
if (Math.abs(blend.output.view[4] - 1.5) > 1e-4) throw new Error('the mean of one and two');
displaced.dispose();
blend.dispose();

// One transform that is linear in two numbers per axis: their sum is its translation.
const palette = new PaletteProduct(numerics, Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1), 2);
palette.numbers.set([1, 3, 5, 0, 2, 4, 6, 0]); // two numbers for each of x, y, z, and a place without use
const [transform] = [palette.multiply()];
if ([3, 7, 11].some((k, axis) => transform[k] !== [3, 7, 11][axis])) throw new Error('t = (3, 7, 11)');
palette.dispose();
numerics.close();
