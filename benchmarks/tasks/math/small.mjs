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
    const polar = (name, values, block) => {
      const place = `3 × 3, ${name}`;
      if (!context.wants(place)) return [];
      context.log(`${place}, batches of ${COUNT}`);
      const { value, reference } = context.compareTimes(
        () => polarDecompositions(numerics, COUNT, block, r, t),
        each((k) => polarDecomposition(values, 9 * k, rotation, 0, stretch, 0)),
      );
      const perItem = { value: (1e6 * value) / COUNT, reference: (1e6 * reference) / COUNT };
      return [{ case: place, metric: 'time each', ...perItem, unit: 'ns', referenceName: 'plain TypeScript' }];
    };
    return [...polar('polar', matrices, a), ...polar('polar, half of them mirrored', general, g)];
  } finally {
    scope.dispose();
    numerics.close();
  }
}
