/**
 * Names that describe where a bone is. A chain runs from one branching point to the next, or to a leaf; it is named after
 * where it ends, and its bones are numbered from the root outwards: `front-down-2-left`, `back-1`, `up-1`. Directions are
 * glTF's: +Y is up, +Z front, +X left. The side is a suffix, as animation packages expect for mirrored bones. Chains that
 * end in the same region get letters: `front-b-1`. Known mirror images share a name except for the side, and bones that
 * are their own mirror image have no side.
 */
import type { NameBones } from './skeleton-rig.ts';

/** Minimum distance of an end from the centre for a direction word, as a fraction of half the extent. */
const ASIDE = 0.3;

const ROOT_NAME = 'root';

interface Chain {
  readonly bones: number[];
  words: string;
  side: '' | '-left' | '-right';
}

export const nameByPlace: NameBones = ({ parents, centres, partners }) => {
  const chains = chainsOf(parents);
  const low = [0, 1, 2].map((d) => extreme(centres, d, Math.min));
  const high = [0, 1, 2].map((d) => extreme(centres, d, Math.max));
  for (const chain of chains) {
    const end = chain.bones[chain.bones.length - 1];
    // −1 … 1 within the bounding box of the bones' centres
    const [x, y, z] = low.map((least, d) => {
      const half = 0.5 * (high[d] - least);
      return half > 0 ? (centres[3 * end + d] - least) / half - 1 : 0;
    });
    const words = [z > ASIDE ? 'front' : z < -ASIDE ? 'back' : '', y > ASIDE ? 'up' : y < -ASIDE ? 'down' : ''];
    chain.side = x > ASIDE ? '-left' : x < -ASIDE ? '-right' : '';
    chain.words = words.filter((word) => word !== '').join('-') || 'middle';
  }
  const names = new Array<string>(parents.length).fill(ROOT_NAME);
  const corners = new Map<string, number>();
  for (const { bones, words, side } of chains) {
    const corner = words + side;
    const earlier = corners.get(corner) ?? 0;
    corners.set(corner, earlier + 1);
    const letter = earlier === 0 ? '' : `-${letters(earlier)}`;
    bones.forEach((bone, k) => {
      names[bone] = `${words}${letter}-${k + 1}${side}`;
    });
  }
  return partners ? pairedNames(names, partners, centres) : names;
};

/** Pairs take the name of their left bone. */
function pairedNames(names: readonly string[], partners: Int32Array, centres: Float64Array): string[] {
  const taken = new Set<string>();
  const out = new Array<string>(names.length).fill('');
  // Pairs choose first, because they need two names at once.
  const order = Array.from(names.keys()).sort((a, b) => rank(a, partners) - rank(b, partners) || a - b);
  for (const j of order) {
    const k = partners[j];
    if (out[j] !== '') continue;
    const paired = k >= 0 && k !== j;
    const left = paired && isLeftOf(k, j, centres) ? k : j;
    const [stem, side] = names[left].split(/(-left|-right)$/);
    const ends = paired ? ['-left', '-right'] : [k === j ? '' : (side ?? '')];
    let base = stem;
    for (let letter = 1; ends.some((end) => taken.has(base + end)); letter++) base = `${stem}-${letters(letter)}`;
    for (const end of ends) taken.add(base + end);
    if (paired) [out[left], out[left === j ? k : j]] = ends.map((end) => base + end);
    else out[j] = base + ends[0];
  }
  return out;
}

function rank(j: number, partners: Int32Array): number {
  return partners[j] < 0 ? 2 : Number(partners[j] === j);
}

/** Compares along the axis in which two mirror images differ most; +X is left. */
function isLeftOf(j: number, k: number, centres: Float64Array): boolean {
  const apart = [0, 1, 2].map((d) => centres[3 * j + d] - centres[3 * k + d]);
  return apart.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)) > 0;
}

/** Chains of all bones except the root; parents come before children. */
function chainsOf(parents: Int32Array): Chain[] {
  const childCount = new Int32Array(parents.length);
  for (const p of parents) if (p >= 0) childCount[p]++;
  const chainOf: Chain[] = [];
  const chains: Chain[] = [];
  parents.forEach((p, bone) => {
    if (p < 0) return;
    let chain = p > 0 && childCount[p] === 1 ? chainOf[p] : undefined;
    if (!chain) {
      chain = { bones: [], words: '', side: '' };
      chains.push(chain);
    }
    chain.bones.push(bone);
    chainOf[bone] = chain;
  });
  return chains;
}

/** 1 → b, 25 → z, 26 → ba */
function letters(k: number): string {
  const last = String.fromCharCode(97 + (k % 26));
  return k < 26 ? last : letters(Math.floor(k / 26)) + last;
}

function extreme(points: Float64Array, d: number, pick: (a: number, b: number) => number): number {
  let value = points[d];
  for (let k = d; k < points.length; k += 3) value = pick(value, points[k]);
  return value;
}
