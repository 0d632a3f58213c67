import type { SkinningSystem } from '@pelt/kernels';
import { type Block, type Numerics, ScopeOwner } from '@pelt/math';

/** Keeps for each vertex the better of the weights before and after a step. */
export class BetterOfTwo extends ScopeOwner {
  readonly #system: SkinningSystem;
  readonly #bones: Block<Int32Array>;
  readonly #weights: Block<Float64Array>;
  readonly #error: Block<Float64Array>;

  constructor(numerics: Numerics, system: SkinningSystem) {
    super(numerics);
    this.#system = system;
    this.#bones = this.scope.i32(system.boneIndices.length);
    this.#weights = this.scope.f64(system.weights.length);
    this.#error = this.scope.f64(system.n);
  }

  /** @param step  changes weights and leaves their errors; rest positions and bones stay */
  attempt(step: () => void): void {
    const system = this.#system;
    system.measureError();
    this.#bones.view.set(system.boneIndices.view);
    this.#weights.view.set(system.weights.view);
    this.#error.view.set(system.error.view);
    step();
    this.#choose();
  }

  #choose(): void {
    const { n, K, error } = this.#system;
    const { bones, weights } = this.#system.editWeights();
    const [now, before] = [error.view, this.#error.view];
    const [keptBones, keptWeights] = [this.#bones.view, this.#weights.view];
    for (let i = 0; i < n; i++) {
      if (now[i] < before[i]) continue;
      now[i] = before[i];
      for (let s = i * K; s < (i + 1) * K; s++) {
        bones[s] = keptBones[s];
        weights[s] = keptWeights[s];
      }
    }
  }
}
