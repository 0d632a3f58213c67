/**
 * 3 × 3 work in batches: the kernels on one thread beside the same functions in TypeScript.
 */
import { openNumerics, polarDecomposition, polarDecompositions, Random } from '@pelt/math';

const COUNT = 20_000;

export async function measure(context) {
  const numerics = await openNumerics();
  const scope = numerics.scope();
  try {
    const random = new Random(1);
    const matrices = Float64Array.from({ length: 9 * COUNT }, (_, k) => random.normal() + ((k % 9) % 4 === 0 ? 4 : 0));
    const general = Float64Array.from({ length: 9 * COUNT }, () => random.normal());
    const [rotation, stretch] = [new Float64Array(9), new Float64Array(9)];
    const [a, g] = [scope.f64From(matrices), scope.f64From(general)];
    const [r, t] = [scope.f64(9 * COUNT), scope.f64(9 * COUNT)];
    const each = (work) => () => {
      for (let k = 0; k < COUNT; k++) work(k);
    };
    const compare = (name, batch, single) => {
      const place = `3 × 3, ${name}`;
      if (!context.wants(place)) return [];
      context.log(`${place}, batches of ${COUNT}`);
      const { value, reference } = context.compareTimes(batch, each(single));
      const perItem = { value: (1e6 * value) / COUNT, reference: (1e6 * reference) / COUNT };
      return [{ case: place, metric: 'time each', ...perItem, unit: 'ns', referenceName: 'plain TypeScript' }];
    };
    const rows = [
      ...compare(
        'rotation',
        () => properRotations(numerics, COUNT, a, r),
        (k) => properRotation(matrices, 9 * k, rotations, 9 * k),
      ),
      ...compare(
        'rotation, half of them mirrored',
        () => properRotations(numerics, COUNT, g, r),
        (k) => properRotation(general, 9 * k, rotations, 9 * k),
      ),
      ...compare(
        'polar',
        () => polarDecompositions(numerics, COUNT, a, r, t),
        (k) => polarDecomposition(matrices, 9 * k, u, 0, v, 0),
      ),
      ...compare(
        'SVD',
        () => svd3s(numerics, COUNT, g, r, l, t),
        (k) => svd3(general, 9 * k, u, s, v),
      ),
    ];
    // Both sides take the logarithms of the same rotations, and the exponentials of the same logarithms.
    properRotations(numerics, COUNT, g, r);
    rotationLogs(numerics, COUNT, r, undefined, l);
    for (let k = 0; k < COUNT; k++) {
      properRotation(general, 9 * k, rotations, 9 * k);
      rotationLog(rotations, 9 * k, logs, 3 * k);
    }
    return [
      ...rows,
      ...compare(
        'logarithm',
        () => rotationLogs(numerics, COUNT, r, undefined, l),
        (k) => rotationLog(rotations, 9 * k, logs, 3 * k),
      ),
      ...compare(
        'exponential',
        () => rotationExps(numerics, COUNT, l, r),
        (k) => rotationExp(logs, 3 * k, u, 0),
      ),
    ];
  } finally {
    scope.dispose();
    numerics.close();
  }
}
