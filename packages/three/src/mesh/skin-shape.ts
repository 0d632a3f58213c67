/**
 * The mesh at rest, prepared for bounds and rays in any pose: which vertices each bone moves, and clusters of triangles
 * that lie together. Made once for a geometry and shared by all meshes that have it.
 */
import { hilbertOrder } from '@pelt/math';
import type { SkinWeights } from '@pelt/model';
import type { BufferGeometry } from 'three';
import { meshOf } from '../model/geometry-rig.ts';
import { displacementCount, type PeltModel } from '../model/pelt-model.ts';
import { type WeightedClusters, weightedClusters } from './cluster-spheres.ts';
import { type BoundedParts, bonePartsOf, boundedParts } from './posed-bounds.ts';

/** Triangles of a cluster: few enough that a ray tests little, many enough that boxes are cheap. */
const CLUSTER = 48;

export interface TriangleClusters {
  /** Triangles by their place along a Hilbert curve; cluster c has those from 48 c on. */
  readonly order: Uint32Array;
  readonly size: number;
  readonly weighted: WeightedClusters;
  /** The same clusters with the bones that move them, for dual quaternions. */
  readonly parts: BoundedParts;
}

export class SkinShape {
  /** f × 3 */
  readonly triangles: Uint32Array;
  /** n × 3 */
  readonly rest: Float32Array;
  readonly #model: PeltModel;
  readonly #joints: number;
  #boneParts: BoundedParts | undefined;
  #clusters: TriangleClusters | undefined;
  #morphReach: Float64Array | undefined;
  readonly #geometry: BufferGeometry;

  constructor(geometry: BufferGeometry, model: PeltModel, joints: number) {
    const { positions, triangles } = meshOf('', [geometry]);
    this.#geometry = geometry;
    this.rest = positions;
    this.triangles = triangles;
    this.#model = model;
    this.#joints = joints;
  }

  get boneParts(): BoundedParts {
    const bones = this.#joints + (this.#model.masters ? 0 : this.#model.added);
    this.#boneParts ??= bonePartsOf(this.rest, hullSkin(this.#model), bones);
    return this.#boneParts;
  }

  get clusters(): TriangleClusters {
    this.#clusters ??= clusterTriangles(this.rest, this.triangles, hullSkin(this.#model));
    return this.#clusters;
  }

  /** The farthest that each morph target moves a vertex. */
  get morphReach(): Float64Array {
    this.#morphReach ??= Float64Array.from(this.#geometry.morphAttributes.position ?? [], (target) => {
      let most = 0;
      for (let i = 0; i < target.count; i++) {
        most = Math.max(most, Math.hypot(target.getX(i), target.getY(i), target.getZ(i)));
      }
      return most;
    });
    return this.#morphReach;
  }

  /** The farthest that each example displacement moves a vertex. */
  displacementReach(): Float64Array {
    const given = this.#model.envelope?.displacements?.displacements;
    const E = displacementCount(this.#model);
    const reach = new Float64Array(E);
    if (!given) return reach;
    const size = given.length / E;
    for (let e = 0; e < E; e++) {
      for (let k = e * size; k < (e + 1) * size; k += 3) {
        reach[e] = Math.max(reach[e], Math.hypot(given[k], given[k + 1], given[k + 2]));
      }
    }
    return reach;
  }
}

/** Which transforms of the skeleton's `hull` each vertex blends: those behind its virtual bones, where it has such. */
function hullSkin({ skin, masters }: PeltModel): SkinWeights {
  if (!masters) return skin;
  const slots = skin.slots * masters.slots;
  const bones = new Uint16Array((skin.bones.length / skin.slots) * slots);
  const weights = new Float32Array(bones.length);
  for (let at = 0; at < bones.length; at++) {
    const slot = Math.floor(at / masters.slots);
    const master = skin.bones[slot] * masters.slots + (at % masters.slots);
    bones[at] = masters.bones[master];
    weights[at] = skin.weights[slot] * masters.weights[master];
  }
  return { slots, bones, weights };
}

function clusterTriangles(rest: Float32Array, triangles: Uint32Array, skin: SkinWeights): TriangleClusters {
  const count = triangles.length / 3;
  const centroids = new Float64Array(3 * count);
  for (let t = 0; t < count; t++) {
    for (let c = 0; c < 3; c++) {
      for (let k = 0; k < 3; k++) centroids[3 * t + c] += rest[3 * triangles[3 * t + k] + c] / 3;
    }
  }
  const order = hilbertOrder(centroids);
  const groups = Array.from({ length: Math.ceil(count / CLUSTER) }, (_, cluster) => {
    const vertices = new Set<number>();
    for (let k = cluster * CLUSTER; k < Math.min(count, (cluster + 1) * CLUSTER); k++) {
      for (let c = 0; c < 3; c++) vertices.add(triangles[3 * order[k] + c]);
    }
    return Uint32Array.from(vertices);
  });
  return {
    order,
    size: CLUSTER,
    weighted: weightedClusters(rest, skin, groups),
    parts: boundedParts(rest, skin, groups),
  };
}
