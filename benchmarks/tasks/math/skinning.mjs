/**
 * The kernels of skinning beside their plain twins: right-hand sides, linear blending, the simplex problems, and what a
 * second thread brings to the weights of a large mesh.
 */
import { cpus } from 'node:os';
import { LinearBlend, SkinningSystem } from '@pelt/kernels';
import { openNumerics, Random, simplexLeastSquares } from '@pelt/math';
import { median } from '../../harness/measure.mjs';

const TWIN = 'plain TypeScript';

export async function measure(context) {
  const one = await openNumerics();
  const two = await openNumerics({ threads: 2 });
  try {
    return [
      ...(await rightHandSides(context, one)),
      ...(await blending(context, one)),
      ...simplex(context, one),
      ...(cpus().length > 1 ? weightsOnTwoThreads(context, one, two) : []),
      ...(await startUp(context)),
    ];
  } finally {
    one.close();
    two.close();
  }
}

/** A cloud of vertices near moving bones, with whatever trajectories: only the amount of work counts here. */
function system(numerics, n, m, S, K) {
  const random = new Random(1);
  const rows = 3 * S;
  const numbers = (length) => Float64Array.from({ length }, () => random.normal());
  const basis = new Float64Array(rows * rows);
  for (let k = 0; k < rows; k++) basis[k * rows + k] = 1;
  const rest = numbers(3 * n);
  const coefficients = numbers(n * rows);
  const squaredNorms = new Float64Array(n).fill(rows);
  const made = new SkinningSystem(numerics, { rest, basis, coefficients, squaredNorms }, m, K);
  const transforms = numbers(S * m * 12);
  made.editTransforms().set(transforms);
  return { made, rest, coefficients, transforms };
}

async function rightHandSides(context, numerics) {
  const [n, m, S] = [8431, 30, 48];
  const place = `Aᵀb, ${n} vertices, ${m} bones, ${S} frames`;
  if (!context.wants(place)) return [];
  context.log(place);
  const { plainBoneProducts } = await context.twin('packages/kernels/test/oracles/skinning.ts');
  const { made, rest, coefficients, transforms } = system(numerics, n, m, S, 4);
  const times = context.compareTimes(
    () => made.boneProducts(),
    () => plainBoneProducts(rest, coefficients, transforms, m),
  );
  made.dispose();
  return [{ case: place, metric: 'time', ...times, unit: 'ms', referenceName: TWIN, target: 'ratio <= 0.1667' }];
}

async function blending(context, numerics) {
  const [n, m, K] = [42321, 30, 4];
  const place = `linear blending, ${n} vertices, ${K} weights`;
  if (!context.wants(place)) return [];
  context.log(place);
  const { plainLinearBlend } = await context.twin('packages/kernels/test/oracles/skinning.ts');
  const random = new Random(2);
  const rest = Float32Array.from({ length: 3 * n }, () => random.normal());
  const bones = Uint16Array.from({ length: n * K }, () => Math.floor(random.uniform() * m));
  const weights = new Float32Array(n * K).fill(1 / K);
  const transforms = Float64Array.from({ length: 12 * m }, () => random.normal());
  const out = new Float32Array(3 * n);
  const blend = new LinearBlend(numerics, rest, bones, weights, m);
  const times = context.compareTimes(
    () => blend.pose(transforms),
    () => plainLinearBlend(rest, bones, weights, transforms, out),
  );
  blend.dispose();
  return [{ case: place, metric: 'time', ...times, unit: 'ms', referenceName: TWIN, target: 'ratio <= 0.25' }];
}

function simplex(context, numerics) {
  const [count, c, rows] = [20000, 8, 24];
  const place = `simplex, ${count} problems, ${c} columns → 4`;
  if (!context.wants(place)) return [];
  context.log(place);
  const random = new Random(3);
  const gram = new Float64Array(count * c * c);
  const rhs = new Float64Array(count * c);
  const squaredNorms = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const a = Float64Array.from({ length: rows * c }, () => random.normal());
    const b = Float64Array.from({ length: rows }, () => random.normal());
    for (let r = 0; r < rows; r++) {
      squaredNorms[i] += b[r] ** 2;
      for (let j = 0; j < c; j++) {
        rhs[i * c + j] += a[r * c + j] * b[r];
        for (let k = 0; k < c; k++) gram[(i * c + j) * c + k] += a[r * c + j] * a[r * c + k];
      }
    }
  }
  const value = context.medianTime(() =>
    simplexLeastSquares(numerics, { size: c, gram, rhs, squaredNorms }, { limit: 4 }),
  );
  return [{ case: place, metric: 'time', value, unit: 'ms' }];
}

function weightsOnTwoThreads(context, one, two) {
  const [n, m, S] = [42321, 27, 24];
  const place = `weights, ${n} vertices, ${m} bones, two threads`;
  if (!context.wants(place)) return [];
  context.log(place);
  const systems = [two, one].map((numerics) => system(numerics, n, m, S, 4).made);
  const times = context.compareTimes(
    () => systems[0].solveWeightsBySwaps(1, 1e-4),
    () => systems[1].solveWeightsBySwaps(1, 1e-4),
    { runs: 7, warmUps: 1, milliseconds: 0 },
  );
  for (const made of systems) made.dispose();
  return [{ case: place, metric: 'time', ...times, unit: 'ms', referenceName: 'one thread', target: 'ratio <= 0.625' }];
}

async function startUp(context) {
  const place = 'start-up, two threads';
  if (!context.wants(place)) return [];
  context.log(place);
  const times = [];
  for (let turn = 0; turn < 7; turn++) {
    const begin = performance.now();
    const numerics = await openNumerics({ threads: 2 });
    times.push(performance.now() - begin);
    numerics.close();
  }
  return [{ case: place, metric: 'time', value: median(times), unit: 'ms', target: 'value <= 150' }];
}
