/** Bones without joints as a block of a descent: rigid or affine, extrapolated along the direction they moved in. */
import type { SkinningSystem } from '@pelt/kernels';
import { BoneMomentum } from './bone-momentum.ts';
import type { BoneBlock } from './rounds.ts';

/** Transforms that bones may have: rotation and translation, or any affine transform. */
export type BoneKind = 'rigid' | 'affine';

/** Solves the transforms of bones without joints for the weights at hand. */
export function solveLooseBones(system: SkinningSystem, kind: BoneKind, sweeps: number, steadiness = 0): void {
  if (kind === 'rigid') system.solveRigidBones(sweeps, steadiness);
  else system.solveAffineBones();
}

export class LooseBones implements BoneBlock {
  readonly penalty = 1;
  readonly #system: SkinningSystem;
  readonly #kind: BoneKind;
  readonly #sweeps: number;
  readonly #momentum: BoneMomentum;

  constructor(system: SkinningSystem, kind: BoneKind, sweeps: number) {
    this.#system = system;
    this.#kind = kind;
    this.#sweeps = sweeps;
    this.#momentum = new BoneMomentum(system, kind === 'rigid');
  }

  solve(descending: boolean): void {
    solveLooseBones(this.#system, this.#kind, this.#sweeps);
    if (descending) this.#momentum.stride();
  }

  judge(error: number): boolean {
    return this.#momentum.judge(error);
  }

  forget(): void {
    this.#momentum.reset();
  }

  keep(): void {}

  restore(): void {}
}
