import type { SkinningSystem } from '@pelt/kernels';

/** A copy of the best iterate of a system: descent with kicks is not monotone. */
export class Snapshot {
  readonly #system: SkinningSystem;
  readonly #parts: Float64Array[];
  readonly #bones: Int32Array;
  /** Sum of squared errors of the copy; Infinity if there is none. */
  error = Number.POSITIVE_INFINITY;

  constructor(system: SkinningSystem) {
    this.#system = system;
    this.#parts = this.#blocks().map((block) => new Float64Array(block.length));
    this.#bones = new Int32Array(system.boneIndices.length);
  }

  take(error: number): void {
    this.error = error;
    this.#blocks().forEach((block, k) => {
      this.#parts[k].set(block.view);
    });
    this.#bones.set(this.#system.boneIndices.view);
  }

  /** Writes the copy back. */
  restore(): void {
    if (this.error === Number.POSITIVE_INFINITY) return;
    const [rest, transforms, weights, error] = this.#parts;
    const system = this.#system;
    system.editRest().set(rest);
    system.editTransforms().set(transforms);
    const edited = system.editWeights();
    edited.weights.set(weights);
    edited.bones.set(this.#bones);
    system.error.view.set(error);
  }

  #blocks() {
    const { rest, transforms, weights, error } = this.#system;
    return [rest, transforms, weights, error];
  }
}
