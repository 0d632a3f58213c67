/**
 * Motions that drive swinging scenes: smooth functions of time that begin at rest, of several kinds that differ in what
 * moves and how fast. The same kind with another seed is another take of the same performance.
 */
import { Random } from '@pelt/math';
import { compose, type Transform, translation, turnAbout, type Vector } from '../transform.ts';

export type MotionKind = 'sway' | 'turn' | 'hop' | 'walk' | 'shake';

export interface DriveMotion {
  readonly kind: MotionKind;
  readonly seed: number;
  /** Multiplies all amplitudes. */
  readonly strength: number;
}

/** Frequencies in Hz, and amplitudes in metres and radians, of each kind. */
const KINDS: Record<MotionKind, { hertz: [number, number]; shift: Vector; turn: Vector; terms: number }> = {
  sway: { hertz: [0.3, 1.2], shift: [0.12, 0.03, 0.12], turn: [0.15, 0.2, 0.15], terms: 4 },
  turn: { hertz: [0.25, 0.9], shift: [0.02, 0.01, 0.02], turn: [0.08, 0.7, 0.08], terms: 4 },
  hop: { hertz: [0.8, 1.8], shift: [0.02, 0.12, 0.03], turn: [0.1, 0.05, 0.05], terms: 3 },
  walk: { hertz: [0.7, 1.5], shift: [0.04, 0.04, 0.2], turn: [0.06, 0.2, 0.08], terms: 4 },
  shake: { hertz: [1.2, 2.4], shift: [0.05, 0.02, 0.05], turn: [0.12, 0.25, 0.12], terms: 4 },
};
/** Seconds in which a motion grows from rest. */
const RAMP = 0.5;

/** A sum of sines, faster ones weaker, so that speeds of all terms are alike; zero with zero slope at time 0. */
function wave(random: Random, [low, high]: readonly [number, number], terms: number): (t: number) => number {
  const parts = Array.from({ length: terms }, (_, k) => {
    const hertz = low * (high / low) ** ((k + random.uniform(0, 1)) / terms);
    return { omega: 2 * Math.PI * hertz, phase: random.uniform(0, 2 * Math.PI), share: low / hertz };
  });
  const norm = Math.sqrt(parts.reduce((sum, { share }) => sum + share * share, 0));
  return (t) => {
    const s = Math.min(1, t / RAMP);
    const ramp = s * s * s * (10 - 15 * s + 6 * s * s);
    return (ramp * parts.reduce((sum, { omega, phase, share }) => sum + share * Math.sin(omega * t + phase), 0)) / norm;
  };
}

/**
 * The root of a scene over time.
 *
 * @param pivot  point about which it turns
 */
export function rootMotion({ kind, seed, strength }: DriveMotion, pivot: Vector): (t: number) => Transform {
  const { hertz, shift, turn, terms } = KINDS[kind];
  const random = new Random(seed * 7919 + kind.charCodeAt(0) * 31 + kind.length);
  const waves = Array.from({ length: 6 }, () => wave(random, hertz, terms));
  return (t) => {
    const at = (k: number) => strength * waves[k](t);
    let transform = translation([shift[0] * at(0), shift[1] * at(1), shift[2] * at(2)]);
    const axes: Vector[] = [
      [0, 1, 0],
      [1, 0, 0],
      [0, 0, 1],
    ];
    for (const axis of axes) {
      const c = axis.indexOf(1);
      transform = compose(transform, turnAbout(pivot, axis, turn[c] * at(3 + c)));
    }
    return transform;
  };
}

/** An angle over time, in radians, zero at time 0: joints beside the root. */
export function angleMotion(
  { kind, seed, strength }: DriveMotion,
  joint: number,
  amplitude: number,
): (t: number) => number {
  const { hertz, terms } = KINDS[kind];
  const turning = wave(new Random(seed * 104729 + joint * 613 + kind.length), hertz, terms);
  return (t) => strength * amplitude * turning(t);
}
