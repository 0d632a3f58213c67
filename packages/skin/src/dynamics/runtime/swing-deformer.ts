/** Evaluates a learnt skin with its secondary motion on the CPU. */
import { DISPOSE } from '@pelt/math';
import { type Dynamics, type ReducedEnvelope, type Run, TRANSFORM_SIZE, validateDynamics } from '@pelt/model';
import { createReducedDeformer, type ReducedDeformer } from '../../envelope/runtime/reduced-deformer.ts';
import type { SwingOptions } from '../options.ts';
import { SwingPlayer, type SwingState } from './swing-player.ts';

/**
 * Prepares a learnt skin that swings. Dispose of it to free its memory.
 *
 * @param skin  n vertices, m bones; `dynamics` of the bones of its palette
 *
 * @example
 * {@includeCode ../../../examples/train-dynamics.ts}
 */
export function createSwingDeformer(
  skin: { readonly envelope: ReducedEnvelope; readonly dynamics: Dynamics },
  options: Partial<SwingOptions> | undefined,
  run: Run,
): SwingDeformer {
  const { envelope, dynamics } = skin;
  const deformer = createReducedDeformer(envelope, {}, run);
  validateDynamics(dynamics, envelope.rig.bones.length, deformer.palette.palette.length / TRANSFORM_SIZE);
  return new SwingDeformer(deformer, new SwingPlayer(dynamics, envelope.rig.bones, options));
}

/**
 * Evaluates a learnt skin that swings, time step by time step; a call allocates nothing.
 *
 * @example
 * {@includeCode ../../../examples/train-dynamics.ts}
 */
export class SwingDeformer implements Disposable {
  readonly player: SwingPlayer;
  readonly state: SwingState;
  readonly #deformer: ReducedDeformer;

  constructor(deformer: ReducedDeformer, player: SwingPlayer) {
    this.#deformer = deformer;
    this.player = player;
    this.state = player.createState();
  }

  /**
   * Advances to a pose and poses the skin.
   *
   * @param transforms  m × 12, rest → pose
   * @param dt          seconds since the last pose
   * @param out         n × 3 positions; overwritten
   */
  deform(transforms: Float64Array, dt: number, out: Float32Array): Float32Array {
    this.player.step(this.state, transforms, dt);
    return this.#deformer.deform(transforms, out, this.#swing);
  }

  /** The transforms of all bones of the palette after a step to a pose; the next call overwrites them. */
  palette(transforms: Float64Array, dt: number): Float64Array {
    this.player.step(this.state, transforms, dt);
    const palette = this.#deformer.palette.update(transforms);
    this.#swing(palette);
    return palette;
  }

  /** Forgets all motion: the next pose counts as one that has been held. */
  reset(): void {
    this.player.reset(this.state);
  }

  dispose(): void {
    this.#deformer.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  readonly #swing = (palette: Float64Array): void => this.player.apply(this.state, palette);
}
