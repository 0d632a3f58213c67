/**
 * Anatomical names for the bones of a person.
 *
 * The skeleton is a tree, and three of its leaves have one bone where the paths between them meet. Feet are the lowest two
 * leaves that are apart, the head is the highest in the middle, hands are the widest of the others on each side. Feet and
 * head meet in the pelvis, hands and head in the chest. Along a limb of few bones names follow from
 * the proportions of its segments (limb-words.ts); of more, a bone is named after how far out its joint is. Left is the side that a body with +Y up has
 * on its left when its feet point forwards. The trunk runs from the pelvis through the chest to the head, and a limb begins
 * where it leaves the trunk, wherever that is: an arm that hardly moves may hang from the hips. What has no two legs, two
 * arms that do not touch the ground, and a head is not a person, and has names by place. Nor is what has ears for arms, or
 * stands on more than two feet.
 */
import { distinct } from './distinct-names.ts';
import { ARM, LEG, limbWords } from './limb-words.ts';
import type { NameBones } from './skeleton-rig.ts';
import { treeNeighbours } from './tree-neighbours.ts';

export const NAME_STYLES = ['plain', 'mixamo', 'vrm'] as const;

export type NameStyle = (typeof NAME_STYLES)[number];

/** Bones from the trunk outwards. */
interface Limb {
  /** The bone of the trunk that they hang from. */
  readonly from: number;
  readonly bones: readonly number[];
}

type Skeleton = Parameters<NameBones>[0];

/** In shares of the height: feet end below the first, hands above the second. */
const [FEET_BELOW, HANDS_ABOVE] = [0.2, 0.25];
/** Least and greatest length of an arm (a wing is longer), and greatest height at which parts of a foot fork, in shares of the height. */
const [LEAST_ARM, MOST_ARM, FEET_FORK_BELOW] = [0.15, 0.75, 0.35];
/** Two feet, two hands, a head. */
const ENDS = 5;
/** Least bones of a leg and of an arm. */
const LEAST_LIMB = 2;
/** Names along limbs of more bones than there are names, each from this share of the length on. */
const LEG_SHARES: readonly (readonly [number, string])[] = [
  [0, 'UpperLeg'],
  [0.3, 'LowerLeg'],
  [0.62, 'Foot'],
  [0.93, 'Toes'],
];
const ARM_SHARES: readonly (readonly [number, string])[] = [
  [0, 'Shoulder'],
  [0.14, 'UpperArm'],
  [0.42, 'LowerArm'],
  [0.7, 'Hand'],
];
const SPINES: Readonly<Record<number, readonly string[]>> = {
  1: ['Spine'],
  2: ['Spine', 'Chest'],
  3: ['Spine', 'Chest', 'UpperChest'],
};
const MIXAMO: Readonly<Record<string, string>> = {
  Chest: 'Spine1',
  UpperChest: 'Spine2',
  UpperArm: 'Arm',
  LowerArm: 'ForeArm',
  UpperLeg: 'UpLeg',
  LowerLeg: 'Leg',
  Toes: 'ToeBase',
};

/** Names in a convention, or undefined where the skeleton is not a person's. */
export function nameBody(skeleton: Skeleton, style: NameStyle): readonly string[] | undefined {
  const names = new BodyNames(skeleton).names();
  return names && distinct(names.map((name) => styled(name, style)));
}

class BodyNames {
  readonly #skeleton: Skeleton;
  readonly #neighbours: number[][];
  readonly #leaves: number[];

  constructor(skeleton: Skeleton) {
    this.#skeleton = skeleton;
    const { parents } = skeleton;
    this.#neighbours = treeNeighbours(parents);
    this.#leaves = [...parents.keys()].filter((k) => this.#neighbours[k].length === 1);
  }

  names(): string[] | undefined {
    const ends = this.#ends();
    if (!ends) return undefined;
    const { head, feet, hands, left } = ends;
    const pelvis = this.#meet(feet[0], feet[1], head);
    const chest = this.#meet(hands[0], hands[1], head);
    const neck = this.#path(chest, head).slice(1);
    const trunk = new Set([...this.#path(pelvis, chest), ...neck]);
    const legs = feet.map((foot) => this.#limb(pelvis, foot, trunk));
    const arms = hands.map((hand) => this.#limb(chest, hand, trunk));
    if ([...legs, ...arms].some(({ bones }) => bones.length < LEAST_LIMB)) return undefined;
    const reaches = arms.map((arm) => this.#stations(arm, true).whole / ends.size);
    if (reaches.some((reach) => reach < LEAST_ARM || reach > MOST_ARM)) return undefined;
    if (!ends.grounded.every((leaf) => this.#isPartOfFoot(leaf, feet, ends.height))) return undefined;
    const names = new Array<string>(this.#skeleton.parents.length).fill('');
    const spine = this.#path(pelvis, chest).slice(1);
    spine.forEach((k, at) => {
      names[k] = (SPINES[Math.min(spine.length, 3)] ?? [])[Math.min(at, 2)];
    });
    names[pelvis] = 'Hips';
    neck.forEach((k, at) => {
      names[k] = at === 0 && neck.length > 1 ? 'Neck' : 'Head';
    });
    legs.forEach((leg, k) => {
      this.#nameLimb(leg, false, left(feet[k]) ? 'Left' : 'Right', names);
    });
    arms.forEach((arm, k) => {
      this.#nameLimb(arm, true, left(hands[k]) ? 'Left' : 'Right', names);
    });
    this.#nameOthers(names);
    return names;
  }

  /** The five ends of a body, and which side a bone is on. */
  #ends() {
    if (this.#leaves.length < ENDS) return undefined;
    const [low, high] = [this.#extreme(Math.min), this.#extreme(Math.max)];
    const height = (k: number) => (this.#tip(k)[1] - low) / (high - low);
    const apart = (a: number, b: number) => {
      const [p, q] = [this.#tip(a), this.#tip(b)];
      return Math.hypot(p[0] - q[0], p[2] - q[2]);
    };
    const grounded = this.#leaves.filter((k) => height(k) < FEET_BELOW);
    const feet = farthest(grounded, apart);
    if (!feet) return undefined;
    const [a, b] = [this.#tip(feet[0]), this.#tip(feet[1])];
    const width = apart(feet[0], feet[1]);
    const axis = [(a[0] - b[0]) / width, (a[2] - b[2]) / width];
    const middle = [(a[0] + b[0]) / 2, (a[2] + b[2]) / 2];
    const aside = (k: number) => {
      const [x, , z] = this.#tip(k);
      return (x - middle[0]) * axis[0] + (z - middle[1]) * axis[1];
    };
    const raised = this.#leaves.filter((k) => height(k) > HANDS_ABOVE);
    const size = high - low;
    const head = best(raised, (k) => height(k) - Math.abs(aside(k)) / size);
    const hands = [1, -1].map((sign) =>
      best(
        raised.filter((k) => k !== head && sign * aside(k) > 0),
        (k) => sign * aside(k),
      ),
    );
    if (head === undefined || hands[0] === undefined || hands[1] === undefined) return undefined;
    const forwards = this.#facing(feet, axis);
    return {
      head,
      feet,
      grounded,
      size,
      /** Of a joint, as a share of the whole. */
      height: (k: number) => (this.#skeleton.origins[3 * k + 1] - low) / size,
      hands: [hands[0], hands[1]],
      // Left is up × front; with the axis pointing to the first foot, that foot is left or right.
      left: (k: number) => aside(k) * forwards > 0,
    };
  }

  /** +1 where the axis between the feet points to the left of the way they point, −1 where it points to the right. */
  #facing(feet: readonly number[], [x, z]: readonly number[]): number {
    const { origins } = this.#skeleton;
    let along = 0;
    for (const foot of feet) {
      const [tx, , tz] = this.#tip(foot);
      // Front is axis × up where the axis is the left: (x, 0, z) × (0, 1, 0) = (−z, 0, x).
      along += (tx - origins[3 * foot]) * -z + (tz - origins[3 * foot + 2]) * x;
    }
    return along < 0 ? -1 : 1;
  }

  /** Where the paths between three bones meet. */
  #meet(a: number, b: number, c: number): number {
    const others = new Set(this.#path(a, c));
    const path = this.#path(b, a);
    return path.find((k) => others.has(k)) ?? a;
  }

  #path(from: number, to: number): number[] {
    const before = new Map<number, number>([[to, -1]]);
    const pending = [to];
    for (let k = pending.pop(); k !== undefined && k !== from; k = pending.pop()) {
      for (const next of this.#neighbours[k]) {
        if (before.has(next)) continue;
        before.set(next, k);
        pending.push(next);
      }
    }
    const path = [];
    for (let k = from; k >= 0; k = before.get(k) ?? -1) path.push(k);
    return path;
  }

  /** A leaf goes on beyond its centre as far as its joint is before it. */
  #tip(k: number): [number, number, number] {
    const { centres, origins, parents } = this.#skeleton;
    const reach = parents[k] < 0 ? 0 : 1;
    const at = (d: number) => centres[3 * k + d] + reach * (centres[3 * k + d] - origins[3 * k + d]);
    return [at(0), at(1), at(2)];
  }

  #extreme(pick: (a: number, b: number) => number): number {
    return this.#leaves.map((k) => this.#tip(k)[1]).reduce((a, b) => pick(a, b));
  }

  /** The bones from the trunk to an end, and the one of the trunk that they hang from. */
  #limb(from: number, end: number, trunk: ReadonlySet<number>): Limb {
    const path = this.#path(from, end);
    const first = path.findIndex((k) => !trunk.has(k));
    return first < 0 ? { from, bones: [] } : { from: path[first - 1], bones: path.slice(first) };
  }

  /** Whether a leaf on the ground belongs to one of two feet: they fork near the ground. */
  #isPartOfFoot(leaf: number, feet: readonly number[], height: (k: number) => number): boolean {
    return feet.some((foot) => {
      const path = this.#path(leaf, foot);
      return path.every((k) => k === leaf || k === foot || height(k) < FEET_FORK_BELOW);
    });
  }

  /** Where the joints of a limb are, as shares of its length. Arms begin in the middle of what they hang from. */
  #stations({ from, bones }: Limb, isArm: boolean): { readonly shares: readonly number[]; readonly whole: number } {
    const { centres, origins } = this.#skeleton;
    const point = (list: Float64Array, k: number) => [list[3 * k], list[3 * k + 1], list[3 * k + 2]];
    const stations = [isArm ? point(centres, from) : point(origins, bones[0]), ...bones.map((k) => point(origins, k))];
    stations.push(this.#tip(bones[bones.length - 1]));
    const lengths = [0];
    for (let k = 1; k < stations.length; k++) {
      lengths.push(lengths[k - 1] + Math.hypot(...stations[k].map((value, d) => value - stations[k - 1][d])));
    }
    const whole = lengths[lengths.length - 1];
    return { shares: bones.map((_, at) => lengths[at + 1] / (whole || 1)), whole };
  }

  #nameLimb(limb: Limb, isArm: boolean, side: string, names: string[]): void {
    const { shares, whole } = this.#stations(limb, isArm);
    const lengths = shares.map((share, at) => ((shares[at + 1] ?? 1) - share) * whole);
    const parts = isArm ? ARM_SHARES : LEG_SHARES;
    const own =
      limbWords(lengths, isArm ? ARM : LEG) ??
      shares.map((share) => parts.reduce((found, [start, word]) => (share >= start ? word : found), parts[0][1]));
    limb.bones.forEach((k, at) => {
      names[k] = `${side}${own[at]}`;
    });
  }

  /** Fingers, tails and whatever else hangs from the body after what they hang from. */
  #nameOthers(names: string[]): void {
    const { parents } = this.#skeleton;
    parents.forEach((parent, k) => {
      if (names[k] !== '') return;
      const above = parent < 0 ? '' : names[parent];
      const [, side = '', word = ''] = /^(Left|Right)?(.*?)\d*$/.exec(above) ?? [];
      if (parent < 0) names[k] = 'Root';
      else if (word === 'Hand' || word === 'Finger') names[k] = `${side}Finger`;
      else if (word === 'Foot' || word === 'Toes') names[k] = `${side}Toes`;
      else if (word === 'Hips' || word === 'Tail') names[k] = 'Tail';
      else names[k] = word.endsWith('Part') ? above : `${above || 'Root'}Part`;
    });
  }
}

function farthest(list: readonly number[], apart: (a: number, b: number) => number): [number, number] | undefined {
  let found: [number, number] | undefined;
  let most = 0;
  for (const a of list) {
    for (const b of list) {
      if (apart(a, b) <= most) continue;
      most = apart(a, b);
      found = [a, b];
    }
  }
  return found;
}

function best(list: readonly number[], score: (k: number) => number): number | undefined {
  return list.reduce<number | undefined>((a, b) => (a === undefined || score(b) > score(a) ? b : a), undefined);
}

/** A plain name in a convention. */
export function styled(name: string, style: NameStyle): string {
  if (style === 'plain') return name;
  if (style === 'vrm') return name[0].toLowerCase() + name.slice(1);
  const [, side, part] = /^(Left|Right)?(.*)$/.exec(name) ?? [];
  const [, word, end] = /^(.*?)((?:Part)?)$/.exec(part ?? '') ?? [];
  return `mixamorig:${side ?? ''}${MIXAMO[word ?? ''] ?? word}${end ?? ''}`;
}
