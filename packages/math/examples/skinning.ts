import { LinearBlend, openNumerics, PaletteProduct } from '@pelt/math';

const numerics = await openNumerics();
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const shifted = [1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0]; // by 2 along x

// Two vertices and two bones; the second vertex follows both in equal shares.
const rest = Float32Array.of(0, 0, 0, 1, 0, 0);
const blend = new LinearBlend(numerics, rest, Uint16Array.of(0, 0, 0, 1), Float32Array.of(1, 0, 0.5, 0.5), 2);
const posed = blend.pose(Float64Array.of(...identity, ...shifted)); // n × 3, overwritten by the next call
if (posed.join() !== '0,0,0,2,0,0') throw new Error('half of the shift');
blend.dispose();

// One transform that is linear in two numbers per axis: their sum is its translation.
const palette = new PaletteProduct(numerics, Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1), 2);
palette.columns.set([1, 2, 3, 4, 5, 6]); // two numbers for each of x, y, z
const [transform] = [palette.multiply()];
if ([3, 7, 11].some((k, axis) => transform[k] !== [3, 7, 11][axis])) throw new Error('t = (3, 7, 11)');
palette.dispose();
numerics.close();
