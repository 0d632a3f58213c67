/**
 * Names that say where a bone is. A chain runs from a branching to the next, or to a tip; it is called after where it
 * ends in the body, and its bones are counted from the root outwards: `front-down-2-left`, `back-1`, `up-1`. The words
 * are glTF's: +Y is up, +Z front, +X left. A side ends the name, as animation programs expect of bones that have a mirror
 * image. Chains that end in the same corner get letters: `front-b-1`.
 */
import type { NameBones } from './skeleton-rig.ts';

/** How far from the middle of the body an end must be to earn a word, as a share of half its extent. */
const ASIDE = 0.3;

export const ROOT_NAME = 'root';

interface Chain {
  readonly bones: number[];
  words: string;
  side: '' | '-left' | '-right';
}

export const nameByPlace: NameBones = ({ parents, centres }) => {
  const chains = chainsOf(parents);
  const low = [0, 1, 2].map((d) => extreme(centres, d, Math.min));
  const high = [0, 1, 2].map((d) => extreme(centres, d, Math.max));
  for (const chain of chains) {
    const end = chain.bones[chain.bones.length - 1];
    // −1 … 1 within the box of the bones' centres
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
  return names;
};

/** All bones but the root, in chains; parents come before children. */
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
