/** A performance as a mirror shows it: left and right change places. */
import type { Motion } from '@pelt/model';

/**
 * The motion in a mirror before the performer.
 *
 * @example
 * {@includeCode ../../../examples/mirror-motion.ts}
 */
export function mirrorMotion(motion: Motion): Motion {
  const positions = motion.positions.map((value, k) => (k % 3 === 0 ? -value : value));
  const swapped = motion.joints.map(otherSide);
  // Joints whose counterparts are missing keep their names: a name may not occur twice.
  const joints = swapped.map((name, j) => (motion.joints.includes(name) ? name : motion.joints[j]));
  return { ...motion, joints, positions };
}

function otherSide(name: string): string {
  if (/left/i.test(name)) return name.replace(/left/gi, (word) => sameCase(word, 'right'));
  if (/right/i.test(name)) return name.replace(/right/gi, (word) => sameCase(word, 'left'));
  const short = /^(.*[._\- ])?([lLrR])([._\- ].*|[A-Z].*)?$/.exec(name);
  if (!short || (short[1] === undefined && short[3] === undefined)) return name;
  const side = { l: 'r', r: 'l', L: 'R', R: 'L' }[short[2]];
  return `${short[1] ?? ''}${side}${short[3] ?? ''}`;
}

function sameCase(like: string, word: string): string {
  return /^[A-Z]/.test(like) ? word[0].toUpperCase() + word.slice(1) : word;
}
