/**
 * A hierarchy for unconstrained bones. Every pair of bones has a point that both carry to nearly the same positions,
 *
 *   o = argmin Σ_t ‖(M_tj − M_tk) ô‖² + μS‖o − g‖²,   g the centre of the vertices they share (equation 23),
 *
 * and the skeleton is the minimum spanning tree of the residual of the sum divided by Σ_i w_ij w_ik (equation 21): a
 * likely joint fits well and lies where the two bones blend.
 *
 * References: Anguelov, Koller, Pang, Srinivasan, Thrun. Recovering articulated object models from 3D range data. 2004.
 * Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, sections 2.2.1 and 2.2.2. Kruskal. On the
 * shortest spanning subtree of a graph and the traveling salesman problem. 1956.
 */
import { type SkeletonTree, type SkinningSystem, skeletonTree } from '@pelt/kernels';

/** μ, in units of the model's radius. */
const PULL = 0.01;
/** Added to Σ_i w_ij w_ik: bones without overlap are joined last, in order of similar motion. */
const NO_OVERLAP = 1e-9;
/** Added to the residual of a joint, in squared radii: smaller residuals are equally good. */
const PERFECT = 1e-12;

export interface JointedTree {
  readonly tree: SkeletonTree;
  /** m × 3, each bone's joint with its parent */
  readonly joints: Float64Array;
  /** m × 3, where joints are expected; by default where bones meet */
  readonly places?: Float64Array;
  /** m, mirror images of the bones where they are known: each of a pair, itself for one on the plane, −1 for none */
  readonly partners?: Int32Array;
}

/** A joint between two bones. */
export interface Link {
  readonly j: number;
  readonly k: number;
  readonly cost: number;
  readonly joint: Float64Array;
}

/** m × 3 centres Σ_i w_ij² p_i/Σ_i w_ij²; 0 for a bone without weight. */
export function boneCentres(system: SkinningSystem): Float64Array {
  const centres = new Float64Array(3 * system.m);
  for (let j = 0; j < system.m; j++) centres.set(system.centre(j, j) ?? [0, 0, 0], 3 * j);
  return centres;
}

/**
 * Minimiser of oᵀAo − 2bᵀo, or an equally good point near the prior.
 *
 * @param A  3 × 3, positive semidefinite
 * @param S  number of frames in the sums A and b
 */
export type JointSolver = (A: Float64Array, b: Float64Array, prior: ArrayLike<number>, S: number) => Float64Array;

/** Equation 23. */
export const pulledJoint: JointSolver = pulledJointBy(PULL);

/** The same with another μ. */
export function pulledJointBy(pull: number): JointSolver {
  return (A, b, prior, S) => pulledMinimum(A, b, prior, pull * S);
}

/**
 * The minimum spanning tree of the bones, with their joints.
 *
 * @param chooseRoot  the index of the root bone, given the m − 1 links of the tree
 */
export function spanningTree(
  system: SkinningSystem,
  chooseRoot: (links: readonly Link[]) => number,
  jointOf = pulledJoint,
): JointedTree {
  const tree = leastTree(pairLinks(system, jointOf), system.m);
  return hangFrom(chooseRoot(tree), system.m, tree);
}

/** The joint that every two bones would have, with its cost. */
export function pairLinks(system: SkinningSystem, jointOf: JointSolver): Link[] {
  const { m } = system;
  const centres = boneCentres(system);
  const links: Link[] = [];
  for (let j = 0; j < m; j++) {
    for (let k = j + 1; k < m; k++) {
      const between = [0, 1, 2].map((d) => 0.5 * (centres[3 * j + d] + centres[3 * k + d]));
      const { joint, left } = pairJoint(system, j, k, system.centre(j, k) ?? between, jointOf);
      links.push({ j, k, joint, cost: (left + PERFECT) / (system.mass(j, k) + NO_OVERLAP) });
    }
  }
  return links;
}

/** The joint of two bones and its residual Σ_t ‖(M_tj − M_tk) ô‖². */
export function pairJoint(
  { m, S, transforms }: SkinningSystem,
  j: number,
  k: number,
  prior: ArrayLike<number>,
  jointOf: JointSolver,
): { joint: Float64Array; left: number } {
  const M = transforms.view;
  // Σ_t DᵀD (3 × 3), −Σ_t Dᵀd and Σ_t dᵀd of the differences [D | d]
  const A = new Float64Array(9);
  const b = new Float64Array(3);
  let constant = 0;
  for (let t = 0; t < S; t++) {
    for (let row = 0; row < 12; row += 4) {
      const [at, other] = [(t * m + j) * 12 + row, (t * m + k) * 12 + row];
      const d = M[at + 3] - M[other + 3];
      for (let e = 0; e < 3; e++) {
        const De = M[at + e] - M[other + e];
        for (let f = 0; f < 3; f++) A[3 * e + f] += De * (M[at + f] - M[other + f]);
        b[e] -= De * d;
      }
      constant += d * d;
    }
  }
  const joint = jointOf(A, b, prior, S);
  let left = constant;
  for (let e = 0; e < 3; e++) {
    left -= 2 * b[e] * joint[e];
    for (let f = 0; f < 3; f++) left += joint[e] * A[3 * e + f] * joint[f];
  }
  return { joint, left: Math.max(left, 0) };
}

/** (A + λI)⁻¹(b + λ prior) for a 3 × 3 positive semidefinite A and λ > 0, by LDLᵀ. */
function pulledMinimum(A: Float64Array, b: Float64Array, prior: ArrayLike<number>, lambda: number): Float64Array {
  const [xx, yy, zz] = [A[0] + lambda, A[4] + lambda, A[8] + lambda];
  const [lxy, lxz] = [A[1] / xx, A[2] / xx];
  const dy = yy - lxy * A[1];
  const lyz = (A[5] - lxy * A[2]) / dy;
  const dz = zz - lxz * A[2] - lyz * lyz * dy;
  const [bx, by, bz] = [0, 1, 2].map((e) => b[e] + lambda * prior[e]);
  const fy = by - lxy * bx;
  const z = (bz - lxz * bx - lyz * fy) / dz;
  const y = fy / dy - lyz * z;
  return Float64Array.of(bx / xx - lxy * y - lxz * z, y, z);
}

/**
 * Kruskal's algorithm: the m − 1 cheapest links without a cycle.
 *
 * @param isFirst  links that are taken before all others
 */
export function leastTree(links: readonly Link[], m: number, isFirst: (link: Link) => boolean = () => false): Link[] {
  const group = Int32Array.from({ length: m }, (_, j) => j);
  const leader = (j: number): number => {
    let at = j;
    while (group[at] !== at) {
      group[at] = group[group[at]];
      at = group[at];
    }
    return at;
  };
  return [...links]
    .sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || a.cost - b.cost)
    .filter(({ j, k }) => {
      const [a, b] = [leader(j), leader(k)];
      group[a] = b;
      return a !== b;
    });
}

/** The same bones and joints with another root. */
export function rehung(
  { tree: { parents }, joints, places, partners }: JointedTree,
  chooseRoot: (links: readonly Link[]) => number,
): JointedTree {
  const linksAt = (points: Float64Array) =>
    Array.from(parents.keys())
      .filter((k) => parents[k] >= 0)
      .map((k): Link => ({ j: k, k: parents[k], cost: 0, joint: points.slice(3 * k, 3 * k + 3) }));
  const root = chooseRoot(linksAt(joints));
  const from = (points: Float64Array) => hangFrom(root, parents.length, linksAt(points));
  return { ...from(joints), ...(places && { places: from(places).joints }), ...(partners && { partners }) };
}

/** The tree of some links, from a root. */
export function hangFrom(root: number, m: number, links: readonly Link[]): JointedTree {
  const parents = new Int32Array(m).fill(-1);
  const joints = new Float64Array(3 * m);
  const reached = [root];
  const seen = new Set(reached);
  for (let at = 0; at < reached.length; at++) {
    for (const { j, k, joint } of links) {
      if (j !== reached[at] && k !== reached[at]) continue;
      const child = j === reached[at] ? k : j;
      if (seen.has(child)) continue;
      seen.add(child);
      reached.push(child);
      parents[child] = reached[at];
      joints.set(joint, 3 * child);
    }
  }
  return { tree: skeletonTree(parents), joints };
}
