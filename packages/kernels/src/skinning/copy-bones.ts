import type { SkinningSystem } from './skinning-system.ts';

/** Where a bone waits that has no vertices yet: so far off that it explains none. */
const FAR_BONE = [1, 0, 0, 1e3, 0, 1, 0, 1e3, 0, 0, 1, 1e3];

/**
 * Copies the rest pose, the bones in `kept`, in that order, and their weights to a new system over the same trajectories.
 * Its further bones stand far away. Weights of bones that go are given to the others of the vertex; a vertex that had no
 * other is left without weights.
 */
export function copyBones(from: SkinningSystem, to: SkinningSystem, kept: readonly number[]): void {
  const { n, S, m, K } = from;
  const [count, slots] = [to.m, to.K];
  to.editRest().set(from.rest.view);
  const newIndex = new Int32Array(m).fill(-1);
  kept.forEach((j, k) => {
    newIndex[j] = k;
  });
  const source = from.transforms.view;
  const transforms = to.editTransforms();
  for (let t = 0; t < S; t++) {
    for (let k = 0; k < count; k++) {
      const at = (t * count + k) * 12;
      if (k < kept.length) transforms.set(source.subarray((t * m + kept[k]) * 12, (t * m + kept[k] + 1) * 12), at);
      else transforms.set(FAR_BONE, at);
    }
  }
  const [bones, weights] = [from.boneIndices.view, from.weights.view];
  const edited = to.editWeights();
  for (let i = 0; i < n; i++) {
    let used = 0;
    let sum = 0;
    for (let s = 0; s < K; s++) {
      const j = newIndex[bones[i * K + s]];
      if (weights[i * K + s] === 0 || j < 0 || used === slots) continue;
      edited.bones[i * slots + used] = j;
      edited.weights[i * slots + used++] = weights[i * K + s];
      sum += weights[i * K + s];
    }
    for (let s = 0; s < used; s++) edited.weights[i * slots + s] /= sum;
  }
}
