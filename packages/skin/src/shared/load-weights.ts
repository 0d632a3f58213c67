import type { SkinningSystem } from '@pelt/kernels';
import type { SkinWeights } from '@pelt/model';

/**
 * Copies weights into a system, as many per vertex as it has room for, largest first.
 *
 * @param skin       n × K', of the system's vertices and bones
 * @param normalise  whether weights are divided by the sum of those copied; without it they are copied to the bit
 */
export function loadWeights(system: SkinningSystem, { slots, bones, weights }: SkinWeights, normalise: boolean): void {
  const { n, K } = system;
  const out = system.editWeights();
  const count = Math.min(K, slots);
  for (let i = 0; i < n; i++) {
    let sum = normalise ? 0 : 1;
    if (normalise) for (let s = 0; s < count; s++) sum += weights[i * slots + s];
    for (let s = 0; s < count; s++) {
      out.bones[i * K + s] = bones[i * slots + s];
      out.weights[i * K + s] = weights[i * slots + s] / sum;
    }
  }
}
