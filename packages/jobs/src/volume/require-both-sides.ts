/** Landmarks that place a limb on one side of a skeleton and leave the other where the recording has it. */
import { InputError } from '@pelt/model';

/** Words of joint names, and the limb that they belong to. */
const LIMBS: readonly (readonly [RegExp, string])[] = [
  [/arm|elbow|hand|wrist|shoulder|collar|clavicle/i, 'arm'],
  [/leg|knee|foot|ankle|toe|thigh|shin|hip/i, 'leg'],
];
const SIDES: readonly (readonly [RegExp, 'left' | 'right'])[] = [
  [/left|(^|[^a-z])l([^a-z]|$)/i, 'left'],
  [/right|(^|[^a-z])r([^a-z]|$)/i, 'right'],
];

/**
 * @param joints  names of all joints
 * @param placed  names of those that have a landmark
 */
export function requireBothSides(joints: readonly string[], placed: ReadonlySet<string>, path: string): void {
  const [all, own] = [limbsOf(joints), limbsOf([...placed])];
  for (const [limb] of own) {
    const [side, part] = limb.split(' ');
    const other = `${side === 'left' ? 'right' : 'left'} ${part}`;
    const missing = all.get(other);
    if (!missing || own.has(other)) continue;
    throw new InputError(`'${path}' places the ${limb} but no joint of the ${other}; add ${missing.join(' or ')}`);
  }
}

/** The joints of each limb, by its side: `left arm`. */
function limbsOf(joints: readonly string[]): Map<string, string[]> {
  const limbs = new Map<string, string[]>();
  for (const name of joints) {
    const side = SIDES.find(([word]) => word.test(name))?.[1];
    const limb = LIMBS.find(([word]) => word.test(name))?.[1];
    if (!side || !limb) continue;
    const key = `${side} ${limb}`;
    limbs.set(key, [...(limbs.get(key) ?? []), name]);
  }
  return limbs;
}
