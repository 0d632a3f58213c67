/**
 * The passes of exact normals on the CPU, into the same texels. Where the renderer itself runs on the CPU, which fetches a
 * texel at a tenth of the speed of an array, this takes a fraction of the time of the passes.
 */
import { type DataTexture, Vector3 } from 'three';
import type { PaletteSkeleton } from '../mesh/palette-skeleton.ts';
import type { PeltMesh } from '../mesh/pelt-mesh.ts';
import { VertexDeformer } from '../mesh/vertex-deformer.ts';
import type { SkinSurface } from '../model/skin-surface.ts';
import type { Rings } from './ring-table.ts';
import { listSize } from './texel-pass.ts';
import { floatTexture } from './texel-table.ts';

export interface PosedTexels {
  readonly positions: DataTexture;
  readonly normals: DataTexture;
}

export class SurfacePoser {
  readonly #surface: SkinSurface;
  readonly #rings: Rings;
  /** N × 3 */
  readonly #rest: Float32Array;
  readonly #morphs: readonly Float32Array[];
  readonly #deformers = new WeakMap<PaletteSkeleton, VertexDeformer>();
  readonly #point = new Vector3();

  constructor(surface: SkinSurface, rings: Rings) {
    this.#surface = surface;
    this.#rings = rings;
    this.#rest = surface.positions();
    this.#morphs = Array.from({ length: surface.morphCount }, (_, target) => surface.morph(target));
  }

  newTexels(): PosedTexels {
    const { width, height } = listSize(this.#surface.count);
    const make = () => floatTexture(new Float32Array(4 * width * height), width, height);
    return { positions: make(), normals: make() };
  }

  /** Writes the surface in the pose of a mesh. */
  pose({ skeleton, skinning, morphTargetInfluences }: PeltMesh, { positions, normals }: PosedTexels): void {
    const deformer = this.#deformers.get(skeleton) ?? new VertexDeformer(skeleton, this.#surface.model);
    this.#deformers.set(skeleton, deformer);
    const morphs = this.#morphs.flatMap((shape, k) => {
      const amount = morphTargetInfluences?.[k] ?? 0;
      return amount === 0 ? [] : [{ shape, amount }];
    });
    const posed = positions.image.data as Float32Array;
    const [rest, point] = [this.#rest, this.#point];
    for (let i = 0; i < this.#surface.count; i++) {
      point.set(rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]);
      for (const { shape, amount } of morphs) {
        point.x += amount * shape[3 * i];
        point.y += amount * shape[3 * i + 1];
        point.z += amount * shape[3 * i + 2];
      }
      deformer.deform(i, point, skinning);
      posed[4 * i] = point.x;
      posed[4 * i + 1] = point.y;
      posed[4 * i + 2] = point.z;
    }
    ringNormals(this.#rings, posed, normals.image.data as Float32Array);
    positions.needsUpdate = true;
    normals.needsUpdate = true;
  }
}

/** Σ (a − p) × (b − p) over the ring of every vertex, normalised; up where there is no surface. */
function ringNormals({ starts, entries }: Rings, positions: Float32Array, out: Float32Array): void {
  for (let i = 0; i + 1 < starts.length; i++) {
    const [px, py, pz] = [positions[4 * i], positions[4 * i + 1], positions[4 * i + 2]];
    let [ax, ay, az] = [0, 0, 0];
    let [x, y, z] = [0, 0, 0];
    for (let k = starts[i]; k < starts[i + 1]; k++) {
      const b = 4 * entries[k];
      const [bx, by, bz] = [positions[b] - px, positions[b + 1] - py, positions[b + 2] - pz];
      x += ay * bz - az * by;
      y += az * bx - ax * bz;
      z += ax * by - ay * bx;
      ax = bx;
      ay = by;
      az = bz;
    }
    const length = Math.sqrt(x * x + y * y + z * z);
    const inverse = length > 0 ? 1 / length : 0;
    out[4 * i] = inverse * x;
    out[4 * i + 1] = length > 0 ? inverse * y : 1;
    out[4 * i + 2] = inverse * z;
  }
}
