import type { Numerics } from './numerics.ts';
import { DISPOSE, type Scope } from './scope.ts';

/**
 * Something that keeps its arrays in the kernels' memory until it is disposed of, by hand or by `using`.
 *
 * @example
 * {@includeCode ../../examples/numerics.ts}
 */
export abstract class ScopeOwner implements Disposable {
  protected readonly scope: Scope;

  constructor(numerics: Numerics) {
    this.scope = numerics.scope();
  }

  /** Frees the memory; the object and views of its arrays must not be used any more. */
  dispose(): void {
    this.scope.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }
}
