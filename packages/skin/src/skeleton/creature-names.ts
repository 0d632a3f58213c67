/**
 * Names for the bones of creatures that are not persons, by body plan.
 *
 * The trunk is the longest path of the skeleton along its mirror plane. Limbs hang from it: those that end near the ground are
 * legs, others that reach far aside are wings or fins, short ones at the head ears and a jaw. Four legs make a quadruped, two
 * legs and two wings a bird, six or more a spider (or an insect), none and fins a fish, nothing but a trunk a snake. What
 * fits none of these has no names here. The front is where feet point, else where the trunk is thicker: the longer part of
 * an animal that tapers is its tail. Directions are glTF's: +Y is up; left is up × front.
 */
import { distinct } from './distinct-names.ts';
import { likeliestPlane, pairedPlane } from './paired-plane.ts';
import type { NameBones } from './skeleton-rig.ts';
import { treeNeighbours } from './tree-neighbours.ts';

type Skeleton = Parameters<NameBones>[0];
type Point = readonly [number, number, number];

/** Bones from the trunk outwards. */
interface Limb {
  /** Position along the trunk, 0 at the front end. */
  readonly at: number;
  readonly bones: readonly number[];
  readonly tip: Point;
  readonly length: number;
  /** Distance of the tip from the mirror plane, positive on the left. */
  readonly aside: number;
}

/** In shares of the height of the skeleton: legs end below. */
const GROUND = 0.25;
/** In shares of its own length: how far a leg reaches down. */
const LEAST_DROP = 0.3;
/** How much more a distance from the mirror plane, and one below the trunk, counts than one along it. */
const [OFF_PLANE, OFF_HEIGHT] = [4, 2];
/** In shares of the length of the trunk: least reach of a wing or fin, and distance from the mirror plane of a side. */
const [LEAST_WING, ASIDE] = [0.1, 0.03];
/** A snake is at least this many times as long as its other extents, and has at least so many bones: a rope may have fewer. */
const [SLENDER, LEAST_SNAKE] = [4, 6];
/** How far a leaf reaches from its joint, in distances of that joint from the last. */
const MOST_REACH = 2;
/** Share of the trunk, from the front, whose branches belong to the head. */
const HEAD = 0.25;

/** From the trunk outwards. */
const LEG_WORDS = ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'];

export function nameCreature(skeleton: Skeleton): readonly string[] | undefined {
  if (skeleton.parents.length < 3) return undefined;
  const names = new Creature(skeleton).names();
  return names && distinct(names);
}

class Creature {
  readonly #skeleton: Skeleton;
  readonly #neighbours: number[][];
  readonly #low: number;
  readonly #height: number;
  /** Unit vector along the ground across the mirror plane, and the plane's offset along it. */
  #across: Point = [1, 0, 0];
  #middle = 0;
  /** The bones on the mirror plane, where pairs are known; the trunk is a path of them. */
  #central: ReadonlySet<number> | undefined;

  constructor(skeleton: Skeleton) {
    this.#skeleton = skeleton;
    const { parents } = skeleton;
    this.#neighbours = treeNeighbours(parents);
    const heights = Array.from(parents.keys()).flatMap((k) => [skeleton.origins[3 * k + 1], this.#tip(k)[1]]);
    this.#low = Math.min(...heights);
    this.#height = Math.max(...heights) - this.#low;
  }

  names(): string[] | undefined {
    this.#findPlane();
    let trunk = this.#trunk();
    if (trunk.length < 2) return undefined;
    const hung = (path: readonly number[]) => path.flatMap((k, at) => this.#limbsAt(k, at, path));
    if (this.#frontIsLast(trunk, hung(trunk))) trunk = trunk.reverse();
    // Left is up × front.
    const [head, end] = [this.#centre(trunk[0]), this.#centre(trunk[trunk.length - 1])];
    const front = [head[0] - end[0], head[2] - end[2]];
    if (front[1] * this.#across[0] - front[0] * this.#across[2] < 0) {
      this.#across = [-this.#across[0], 0, -this.#across[2]];
      this.#middle = -this.#middle;
    }
    const length = this.#lengthOf(trunk);
    const limbs = hung(trunk);
    const legs = limbs.filter((limb) => this.#isLeg(limb, trunk));
    const sideways = limbs.filter((limb) => !legs.includes(limb) && limb.length > LEAST_WING * length);
    const { partners } = this.#skeleton;
    const isPaired = ({ bones: [k] }: Limb) => !this.#central || !partners || (partners[k] >= 0 && partners[k] !== k);
    const wings = sideways.filter(
      (limb) => isPaired(limb) && Math.abs(limb.aside) > 2 * ASIDE * length && limb.at < 0.8 * trunk.length,
    );
    const paired = legs.filter(({ aside }) => Math.abs(aside) > ASIDE * length * 0.5);
    const names = new Array<string>(this.#skeleton.parents.length).fill('');
    const slender = this.#isSlender(trunk, length);
    const alone = slender && trunk.length >= LEAST_SNAKE && limbs.every((limb) => limb.length < LEAST_WING * length);
    if (alone) this.#nameChain(trunk, undefined, names);
    else if (paired.length >= 6) this.#nameSpider(paired, trunk, names);
    else if (paired.length >= 3) this.#nameQuadruped(paired, trunk, names);
    else if (paired.length === 2 && wings.length >= 2) this.#nameBird(paired, wings, trunk, names);
    else if (legs.length === 0 && (wings.length > 0 || sideways.length > 0)) this.#nameFish(sideways, trunk, names);
    else return undefined;
    this.#nameHead(limbs, trunk, names);
    this.#nameOthers(names);
    return names;
  }

  #nameQuadruped(legs: readonly Limb[], trunk: readonly number[], names: string[]): void {
    const order = [...legs].sort((a, b) => a.at - b.at || this.#along(a, trunk) - this.#along(b, trunk));
    const half = (limb: Limb) => this.#along(limb, trunk);
    const middle = (Math.min(...order.map(half)) + Math.max(...order.map(half))) / 2;
    const hips = Math.max(...order.filter((leg) => half(leg) > middle).map(({ at }) => at), 0);
    for (const leg of legs) this.#nameLeg(leg, `${half(leg) > middle ? 'Back' : 'Front'}${side(leg)}`, names);
    this.#nameChain(trunk, hips, names);
  }

  #nameBird(legs: readonly Limb[], wings: readonly Limb[], trunk: readonly number[], names: string[]): void {
    for (const leg of legs) this.#nameLeg(leg, side(leg), names);
    for (const wing of wings) this.#number(wing.bones, `${side(wing)}Wing`, names);
    this.#nameChain(trunk, Math.max(...legs.map(({ at }) => at)), names);
  }

  #nameFish(fins: readonly Limb[], trunk: readonly number[], names: string[]): void {
    const length = this.#lengthOf(trunk);
    for (const fin of fins) {
      const [, y] = this.#centre(trunk[fin.at]);
      const place = Math.abs(fin.aside) > ASIDE * length ? side(fin) : fin.tip[1] > y ? 'Dorsal' : 'Anal';
      this.#number(fin.bones, `${place}Fin`, names);
    }
    // The tail begins behind the last pair of fins, half-way where there are none.
    const behind = fins.filter(({ aside }) => Math.abs(aside) > ASIDE * length).map(({ at }) => at);
    this.#nameChain(trunk, Math.max(...behind, Math.floor(trunk.length / 2)), names);
  }

  #nameSpider(legs: readonly Limb[], trunk: readonly number[], names: string[]): void {
    for (const which of ['Left', 'Right']) {
      legs
        .filter((leg) => side(leg) === which)
        .sort((a, b) => this.#along(a, trunk) - this.#along(b, trunk))
        .forEach((leg, k) => {
          this.#number(leg.bones, `${which}Leg${k + 1}Joint`, names);
        });
    }
    const hips = legs.map(({ at }) => at).sort((a, b) => a - b)[Math.floor(legs.length / 2)];
    trunk.forEach((k, at) => {
      names[k] = at < hips ? (at === 0 ? 'Head' : 'Thorax') : at === hips ? 'Hips' : 'Abdomen';
    });
  }

  #nameLeg({ bones }: Limb, prefix: string, names: string[]): void {
    // A shoulder blade or a pelvis of its own comes before the upper leg where there are more bones than a leg has.
    const first = prefix.startsWith('Front') ? 'Shoulder' : 'Hip';
    const words = bones.length > LEG_WORDS.length ? [first, ...LEG_WORDS] : LEG_WORDS;
    bones.forEach((k, at) => {
      names[k] = `${prefix}${words[Math.min(at, words.length - 1)]}`;
    });
  }

  /** Head, neck and spine to the hips, the tail behind them. Without hips, numbers run from the head. */
  #nameChain(trunk: readonly number[], hips: number | undefined, names: string[]): void {
    const head = this.#head(trunk, names);
    names[trunk[head]] = 'Head';
    this.#number(trunk.slice(0, head).reverse(), 'Muzzle', names);
    if (hips === undefined || hips <= head) {
      this.#number(trunk.slice(head + 1), 'Spine', names);
      return;
    }
    names[trunk[hips]] = 'Hips';
    // From the hips outwards, forwards and backwards.
    const spine = trunk.slice(head + 1, hips).reverse();
    this.#number(spine, 'Spine', names);
    if (spine.length > 2) names[spine[spine.length - 1]] = 'Neck';
    this.#number(trunk.slice(hips + 1), 'Tail', names);
  }

  /** The bone of the trunk that ears hang from, or anything else in front; its front end if there is none. */
  #head(trunk: readonly number[], names: readonly string[]): number {
    const length = this.#lengthOf(trunk);
    const near = trunk
      .flatMap((k, at) => this.#limbsAt(k, at, trunk))
      .filter(({ at, bones }) => names[bones[0]] === '' && at <= Math.max(HEAD * trunk.length, 1))
      .filter((limb) => limb.length < HEAD * length);
    const ears = near.filter(({ aside }) => Math.abs(aside) > 0.5 * ASIDE * length);
    return (ears.length > 1 ? ears : near).reduce(
      (least, { at }) => Math.min(least, at),
      near.length > 0 ? trunk.length : 0,
    );
  }

  /** Ears and a jaw, which hang from the head or the neck. */
  #nameHead(limbs: readonly Limb[], trunk: readonly number[], names: string[]): void {
    for (const { at, bones, aside } of limbs) {
      if (names[bones[0]] !== '' || at > Math.max(HEAD * trunk.length, 1)) continue;
      const length = this.#lengthOf(trunk);
      if (Math.abs(aside) > 0.5 * ASIDE * length) this.#number(bones, `${aside > 0 ? 'Left' : 'Right'}Ear`, names);
      else this.#number(bones, 'Jaw', names);
    }
  }

  /** Whatever else there is after what it hangs from. */
  #nameOthers(names: string[]): void {
    const { parents } = this.#skeleton;
    for (let left = names.length; left > 0 && names.includes(''); left--) {
      for (const k of names.keys()) {
        if (names[k] !== '') continue;
        const named = this.#neighbours[k].find((other) => names[other] !== '');
        if (named === undefined) continue;
        const base = names[named].replace(/Part\d*$/, '');
        names[k] = parents[k] < 0 ? 'Root' : `${base}Part`;
      }
    }
  }

  #number(bones: readonly number[], word: string, names: string[]): void {
    let number = 1;
    for (const k of bones) {
      while (names.includes(`${word}${number}`)) number++;
      names[k] = `${word}${number}`;
    }
  }

  /** The mirror plane: of the vertical ones across a horizontal axis, or a principal one, that over which bones match best. */
  #findPlane(): void {
    const pairs = pairedPlane(this.#skeleton);
    const centres = Array.from(this.#neighbours.keys(), (k) => this.#centre(k));
    const { across, middle } = pairs ?? likeliestPlane(centres);
    this.#across = across;
    this.#middle = middle;
    this.#central = pairs?.central;
  }

  /** The longest path between two bones, where distances from the mirror plane count against it. */
  #trunk(): number[] {
    // A head that ears hang from is no leaf.
    const ends = Array.from(this.#neighbours.keys());
    let best: number[] = [];
    let most = Number.NEGATIVE_INFINITY;
    for (const a of ends) {
      for (const b of ends) {
        if (a >= b) continue;
        const path = this.#path(a, b);
        if (this.#central && path.some((k) => !this.#central?.has(k))) continue;
        const off = Math.max(Math.abs(this.#offPlane(this.#tip(a))), Math.abs(this.#offPlane(this.#tip(b))));
        // What reaches down from the rest of the path is a leg.
        const mean = path.reduce((sum, k) => sum + this.#centre(k)[1], 0) / path.length;
        const drops = [a, b].map((k) => Math.max(mean - this.#tip(k)[1] - GROUND * this.#height, 0));
        const value = this.#lengthOf(path) - OFF_PLANE * off - OFF_HEIGHT * (drops[0] + drops[1]);
        if (value > most) [best, most] = [path, value];
      }
    }
    return this.#continued(this.#continued(best).reverse());
  }

  /** A path, to the end of the chain that its last bone is part of. */
  #continued(path: number[]): number[] {
    const out = [...path];
    for (;;) {
      const around = this.#neighbours[out[out.length - 1]] ?? [];
      const next = around.filter((k) => !out.includes(k) && (this.#central?.has(k) ?? true));
      if (next.length !== 1) return out;
      out.push(next[0]);
    }
  }

  /** Whether the head is at the end of the path: where feet point; else the end beside which more limbs hang. */
  #frontIsLast(path: readonly number[], limbs: readonly Limb[]): boolean {
    const [a, b] = [this.#tip(path[0]), this.#tip(path[path.length - 1])];
    const axis = [a[0] - b[0], a[2] - b[2]];
    let along = 0;
    for (const { bones, tip } of limbs.filter((limb) => this.#isLeg(limb, path))) {
      const joint = this.#origin(bones[bones.length - 1]);
      along += (tip[0] - joint[0]) * axis[0] + (tip[2] - joint[2]) * axis[1];
    }
    if (Math.abs(along) > 0) return along < 0;
    const towards = limbs.reduce((sum, { at }) => sum + (at < (path.length - 1) / 2 ? 1 : -1), 0);
    if (towards !== 0) return towards < 0;
    // A head is a bone of its own; tails end in short ones.
    return a[1] < b[1];
  }

  #limbsAt(k: number, at: number, path: readonly number[]): Limb[] {
    return this.#neighbours[k]
      .filter((next) => !path.includes(next))
      .map((next): Limb => {
        const bones = this.#longestFrom(next, k);
        const tip = this.#tip(bones[bones.length - 1]);
        return { at, bones, tip, length: this.#lengthOf(bones), aside: this.#offPlane(tip) };
      });
  }

  /** The longest way outwards from a bone. */
  #longestFrom(k: number, before: number): number[] {
    let best: number[] = [];
    for (const next of this.#neighbours[k]) {
      if (next === before) continue;
      const further = this.#longestFrom(next, k);
      if (best.length === 0 || this.#lengthOf([k, ...further]) > this.#lengthOf([k, ...best])) best = further;
    }
    return [k, ...best];
  }

  #path(from: number, to: number): number[] {
    const walk = (k: number, before: number): number[] | undefined => {
      if (k === to) return [k];
      for (const next of this.#neighbours[k]) {
        if (next === before) continue;
        const rest = walk(next, k);
        if (rest) return [k, ...rest];
      }
      return undefined;
    };
    return walk(from, -1) ?? [];
  }

  #lengthOf(bones: readonly number[]): number {
    let length = distance(this.#origin(bones[bones.length - 1]), this.#tip(bones[bones.length - 1]));
    for (let k = 1; k < bones.length; k++) length += distance(this.#centre(bones[k - 1]), this.#centre(bones[k]));
    return length;
  }

  /** How far back along the trunk's direction a limb begins. */
  #along({ bones }: Limb, trunk: readonly number[]): number {
    const [a, b] = [this.#centre(trunk[0]), this.#centre(trunk[trunk.length - 1])];
    const axis = [b[0] - a[0], b[2] - a[2]];
    const point = this.#centre(bones[Math.floor(bones.length / 2)]);
    return (point[0] - a[0]) * axis[0] + (point[2] - a[2]) * axis[1];
  }

  /** Whether a limb ends near the ground, to which it reaches down. */
  #isLeg({ tip, at, length }: Limb, trunk: readonly number[]): boolean {
    const drop = this.#centre(trunk[at])[1] - tip[1];
    return tip[1] - this.#low < GROUND * this.#height && drop > LEAST_DROP * length;
  }

  #isSlender(trunk: readonly number[], length: number): boolean {
    const aside = trunk.map((k) => Math.abs(this.#offPlane(this.#centre(k)))).reduce((a, b) => Math.max(a, b));
    return length > SLENDER * Math.max(aside, Math.min(this.#height, length / 5));
  }

  #offPlane(point: Point): number {
    return this.#across[0] * point[0] + this.#across[2] * point[2] - this.#middle;
  }

  #origin(k: number): Point {
    const { origins } = this.#skeleton;
    return [origins[3 * k], origins[3 * k + 1], origins[3 * k + 2]];
  }

  #centre(k: number): Point {
    const { centres } = this.#skeleton;
    return [centres[3 * k], centres[3 * k + 1], centres[3 * k + 2]];
  }

  /**
   * A leaf goes on beyond its centre as far as its joint is before it, but no more than twice as far as its joint is from the
   * last: a toe that moves a little of other skin as well has its centre somewhere else.
   */
  #tip(k: number): Point {
    const { parents } = this.#skeleton;
    const [joint, centre] = [this.#origin(k), this.#centre(k)];
    if (parents[k] < 0) return centre;
    const reach = 2 * distance(joint, centre);
    const most = MOST_REACH * distance(joint, this.#origin(parents[k]));
    const scale = 2 * (most > 0 && reach > most ? most / reach : 1);
    const at = (d: number) => joint[d] + scale * (centre[d] - joint[d]);
    return [at(0), at(1), at(2)];
  }
}

function side({ aside }: Limb): 'Left' | 'Right' {
  return aside > 0 ? 'Left' : 'Right';
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
