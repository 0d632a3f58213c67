/** Options of secondary motion, with their defaults. */
import type { Capsules } from '@pelt/model';

/** `none`: the pose alone. `twist`: the motion of the last interval. `resonators`: with states. `auto`: by cross-validation. */
export type DynamicsMethod = 'auto' | 'none' | 'twist' | 'resonators';

/** Options of `trainDynamics`. */
export interface DynamicsOptions {
  readonly method: DynamicsMethod;
  /** Proxy bones that swing; `auto` is three per joint, and 24 at least. */
  readonly proxies: number | 'auto';
  /** Most proxies per vertex. */
  readonly weights: number;
  /** R, most modes. */
  readonly modes: number;
  /** Most joints that drive. */
  readonly drivers: number;
  /** Direction of gravity in model space. */
  readonly gravity: readonly [number, number, number];
  /** Contact with the body: capsules fitted to what does not swing, given ones, or none. */
  readonly contact: 'auto' | 'none' | Capsules;
}

export const DYNAMICS_DEFAULTS: DynamicsOptions = {
  method: 'auto',
  proxies: 'auto',
  weights: 4,
  modes: 32,
  drivers: 4,
  gravity: [0, -1, 0],
  contact: 'auto',
};

/** What a player may change: multiples of what was learnt. */
export interface SwingOptions {
  readonly stiffness: number;
  readonly damping: number;
  /** Of the swing; the pose part stays. */
  readonly gain: number;
}

export const SWING_DEFAULTS: SwingOptions = { stiffness: 1, damping: 1, gain: 1 };

/** Options of `suggestMotions`. */
export interface SuggestOptions {
  /** Of all suggestions together. */
  readonly seconds: number;
  /** Of one suggestion. */
  readonly window: number;
}

export const SUGGEST_DEFAULTS: SuggestOptions = { seconds: 10, window: 2 };
