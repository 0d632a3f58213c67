/**
 * The rest pose as one block of a descent over weights and bones. With E the sum of squared errors over all S frames and
 * D = Σ_i ‖p_i − p⁰_i‖² the displacement of the rest pose p from the input's p⁰:
 *
 *   keep   p = p⁰
 *   near   minimise E subject to S·D ≤ E: the rest pose moves no further (RMS) than the frames are off
 *   free   minimise E + D: the input's rest pose counts as one frame of S + 1
 *
 * `near` is solved through its Lagrangian E + λD, a 3 × 3 system per vertex. As λ grows, E rises and S·D falls, so the
 * constrained minimum is where they meet, which is also the minimum of max(E, S·D): iterates are compared by that. One
 * step of a secant in log λ per round finds the multiplier while weights and bones converge: D falls with λ² once λ
 * dominates the normal matrix, so λ ← λ√(S·D/E) is exact there and an underestimate before. What is left of the
 * violation at the end is removed by shortening all displacements alike.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { exp, log } from '@pelt/math';
import type { RestBlock } from './search/rounds.ts';

/** How far the rest pose may move: not at all, by no more than the RMS error of the frames, or as it lowers the error. */
export type RestPose = 'keep' | 'near' | 'free';

/** Weight of the input's rest pose under `free`, in frames. */
const ONE_FRAME = 1;
/** Largest change of λ per round: early rounds have errors that say little about the last. */
const MOST_CHANGE = 2;
/** Share of E that S·D may reach: the low-rank basis and rounding to float32 leave E uncertain by less. */
const WITHIN = 0.98;
const BISECTIONS = 20;

/** What fits are compared by: the error, or that of a rest pose which moved further than the frames are off. */
export function meritOf(system: SkinningSystem, mode: RestPose, error = system.totalError()): number {
  return mode === 'near' ? Math.max(error, system.S * system.restDisplacement()) : error;
}

export class RestPoseStep implements RestBlock {
  readonly #system: SkinningSystem;
  readonly #mode: RestPose;
  /** λ, in frames. */
  #stiffness: number;

  constructor(system: SkinningSystem, mode: RestPose) {
    this.#system = system;
    this.#mode = mode;
    this.#stiffness = mode === 'near' ? Math.sqrt(system.S) : ONE_FRAME;
  }

  /** Moves the rest pose to where weights and bones fit best. `error` belongs to the iterate at hand. */
  correct(): void {
    if (this.#mode === 'keep') return;
    if (this.#mode === 'near') this.#adaptStiffness();
    this.#system.correctRest(this.#stiffness);
  }

  /** What iterates are compared by, see `meritOf`. */
  merit(error: number): number {
    return meritOf(this.#system, this.#mode, error);
  }

  /** Makes sure that the limit of `near` holds: p ← p⁰ + s(p − p⁰) with the largest s ≤ 1 that does. */
  enforce(): void {
    if (this.#mode !== 'near') return;
    const system = this.#system;
    system.measureError();
    const displacement = system.restDisplacement();
    if (this.#holds(displacement)) return;
    const original = system.originalRest;
    const moved = system.rest.view.map((value, k) => value - original[k]);
    const shorten = (share: number) => {
      const rest = system.editRest();
      for (let k = 0; k < rest.length; k++) rest[k] = original[k] + share * moved[k];
      system.measureError();
      return this.#holds(share * share * displacement);
    };
    let [low, high] = [0, 1];
    for (let turn = 0; turn < BISECTIONS; turn++) {
      const middle = (low + high) / 2;
      if (shorten(middle)) low = middle;
      else high = middle;
    }
    shorten(low);
  }

  #holds(displacement: number): boolean {
    return this.#system.S * displacement <= WITHIN * this.#system.totalError();
  }

  #adaptStiffness(): void {
    const system = this.#system;
    const error = system.totalError();
    const displacement = system.restDisplacement();
    if (!(error > 0) || !(displacement > 0)) return;
    const change = Math.sqrt((system.S * displacement) / (WITHIN * error));
    this.#stiffness *= Math.min(Math.max(change, 1 / MOST_CHANGE), MOST_CHANGE);
  }
}

/** Halvings of the range of log λ, and its ends in frames. */
const STIFFNESS_BISECTIONS = 24;
const STIFFNESS_RANGE = [1e-3, 1e9] as const;
/** Share of the limit that a sample is held to, so that other vertices are within it too. */
const SAMPLE_WITHIN = 0.98;

/**
 * λ in frames for the rest poses of other vertices than those of the system, which is a sample of them: the smallest with
 * which the limit of `near` holds on the sample. Weights, bones and rest pose stay as they are.
 */
export function stiffnessOf(system: SkinningSystem, mode: RestPose): number {
  if (mode === 'keep') return Number.POSITIVE_INFINITY;
  if (mode === 'free') return ONE_FRAME;
  const rest = system.rest.view.slice();
  let [low, high] = STIFFNESS_RANGE.map((value) => log(value));
  for (let turn = 0; turn < STIFFNESS_BISECTIONS; turn++) {
    const middle = (low + high) / 2;
    system.correctRest(exp(middle));
    system.measureError();
    if (system.S * system.restDisplacement() <= SAMPLE_WITHIN * system.totalError()) high = middle;
    else low = middle;
  }
  system.editRest().set(rest);
  system.measureError();
  return exp(high);
}

/** A rest pose whose input counts as so many frames, as a block of a descent; Infinity fixes it. */
export function stiffRest(system: SkinningSystem, stiffness: number): RestBlock {
  return { correct: () => system.correctRest(stiffness), merit: (error) => error, enforce: () => {} };
}
