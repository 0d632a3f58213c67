/**
 * An animated mesh in an Alembic archive: the rest mesh, the frame times, and random access to the positions of any
 * frame, read on demand. An archive larger than memory can thus be processed or sampled frame by frame.
 *
 * A frame between two samples is interpolated linearly. The points are then transformed by all parents, evaluated at
 * the same time. The topology must be constant.
 */
import { InputError, type Mesh, resolveOptions, UnsupportedError, UsageError } from '@pelt/model';
import { FrameGather, type FrameSource, requireFrameRequest } from '../frame-source.ts';
import { determinant, identityTransform, invert, isSingular, multiply, type Transform } from '../gltf/transform.ts';
import { unitVectors } from '../smooth-normals.ts';
import { WarningTally } from '../warning-tally.ts';
import { animationTimes } from './animation-times.ts';
import { chooseMeshes } from './choose-meshes.ts';
import { cornerAttribute, readGeomParam } from './geom-param.ts';
import { type MeshBlock, mergeMeshes } from './merge-meshes.ts';
import { readMeshFaces } from './mesh-faces.ts';
import type { AlembicMesh } from './mesh-object.ts';
import type { AlembicArchive } from './open-alembic.ts';
import { requireSameFaces, requireSameVertices } from './same-topology.ts';
import { placeOfTime, timeOfSample } from './time-sampling.ts';
import { allFinite, transformInPlace } from './transform-points.ts';
import { WorldTransforms } from './world-transforms.ts';

export interface AlembicOptions {
  /** Names or paths of meshes, or of groups that contain them; absent: all visible meshes, merged into one with parts. */
  readonly mesh: string | readonly string[] | undefined;
  /** The up axis of the archive, which does not record it; the result is y-up. */
  readonly up: 'y' | 'z';
  /** Factor for all lengths; the archive does not record its unit. */
  readonly scale: number;
  /** Frames per second to resample at; absent: the archive's own samples. */
  readonly fps: number | undefined;
  readonly onWarning: ((message: string) => void) | undefined;
}

export const ALEMBIC_DEFAULTS: AlembicOptions = {
  mesh: undefined,
  up: 'y',
  scale: 1,
  fps: undefined,
  onWarning: undefined,
};

/** Instances can expand a small archive beyond any memory. */
const MAX_VERTICES = 2 ** 25;

/**
 * An animated mesh in an Alembic archive, with random access to the positions of any frame, read on demand. Frames
 * between two samples are interpolated linearly; the topology must be constant.
 * @example
 * {@includeCode ../../examples/alembic.ts}
 */
export class AlembicAnimation implements FrameSource {
  readonly name: string;
  /** The mesh at the first frame. */
  readonly rest: Mesh;
  /** S seconds, increasing, from 0 */
  readonly times: Float64Array;
  /** Begins every message: `Alembic 'clip.abc'`. */
  readonly label: string;
  readonly #meshes: readonly AlembicMesh[];
  readonly #worlds: WorldTransforms;
  /** Scene to model: up axis and scale. */
  readonly #toModel: Transform;
  /** The frame times in the archive's own seconds. */
  readonly #moments: Float64Array;
  readonly #matrix = identityTransform();
  /** Scratch: the second sample of an interpolation. */
  #second = new Float32Array(0);
  readonly #gather = new FrameGather();

  constructor(archive: AlembicArchive, options?: Partial<AlembicOptions>) {
    const { mesh, up, scale, fps, onWarning } = checkedOptions(options);
    const warnings = new WarningTally(archive.label, onWarning);
    this.label = archive.label;
    this.#meshes = chooseMeshes(archive, mesh, warnings);
    this.#toModel = toModel(up, scale);
    this.#worlds = new WorldTransforms(
      this.#meshes.map(({ content }) => content.object),
      archive.label,
    );
    const points = this.#meshes.map(({ content }) => content.points);
    const changing = [...points.filter((property) => property.changes), ...this.#worlds.changing];
    this.#moments = animationTimes(changing, timeOfSample(points[0].header.sampling, 0), fps, archive.label);
    this.times = this.#moments.map((time) => time - this.#moments[0]);
    this.name = this.#meshes.length === 1 ? this.#meshes[0].name : archive.name;
    this.rest = this.#readRest(warnings);
    for (const { path, content } of this.#meshes) {
      if (content.visibility === 'changes') warnings.add(`'${path}' is hidden in some frames; it is read in all`);
    }
    warnings.flush();
  }

  /** n */
  get vertexCount(): number {
    return this.rest.positions.length / 3;
  }

  /**
   * Looks at the counts of all frames, without reading their positions.
   * @return what is wrong with the first frame whose vertices or faces are not those of frame 0; undefined: none
   */
  changedTopology(): string | undefined {
    try {
      for (let t = 1; t < this.times.length; t++) {
        for (const mesh of this.#meshes) {
          const { points } = mesh.content;
          const { before } = placeOfTime(points.header.sampling, points.samples, this.#moments[t]);
          requireSameVertices(mesh, before, t, this.label);
          requireSameFaces(mesh, this.#moments[t], t, this.label);
        }
      }
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
    return undefined;
  }

  /**
   * @param t         frame number, 0 to S − 1
   * @param out       n × 3 positions, or m × 3 if `vertices` is given; overwritten
   * @param vertices  m vertex indices, in any order; absent: all vertices
   */
  readFrame(t: number, out: Float32Array, vertices?: ArrayLike<number>): void {
    requireFrameRequest(t, this.times.length, this.vertexCount, out, vertices);
    this.#gather.read(this.vertexCount, vertices, out, (whole) => this.#readWhole(t, whole));
  }

  #readWhole(t: number, out: Float32Array): void {
    const time = this.#moments[t];
    this.#worlds.setTime(time);
    let first = 0;
    for (const mesh of this.#meshes) {
      const end = first + 3 * mesh.vertices;
      requireSameFaces(mesh, time, t, this.label);
      this.#readPoints(mesh, time, t, out.subarray(first, end));
      first = end;
    }
  }

  /** @param out  the part of the frame that belongs to this mesh */
  #readPoints(mesh: AlembicMesh, time: number, t: number, out: Float32Array): void {
    const { object, points } = mesh.content;
    const { before, after, share } = placeOfTime(points.header.sampling, points.samples, time);
    requireSameVertices(mesh, before, t, this.label);
    points.readFloat32(before, out);
    if (share > 0 && points.storedAs(before) !== points.storedAs(after)) {
      requireSameVertices(mesh, after, t, this.label);
      if (this.#second.length < out.length) this.#second = new Float32Array(out.length);
      const second = this.#second.subarray(0, out.length);
      points.readFloat32(after, second);
      for (let k = 0; k < out.length; k++) out[k] += share * (second[k] - out[k]);
    }
    multiply(this.#toModel, this.#worlds.of(object), this.#matrix);
    const finite = isIdentity(this.#matrix) ? allFinite(out) : transformInPlace(this.#matrix, out);
    if (!finite) this.#refuse(mesh, t, out);
  }

  #refuse({ path }: AlembicMesh, t: number, positions: Float32Array): never {
    const k = positions.findIndex((value) => !Number.isFinite(value));
    throw new InputError(
      `${this.label}: point ${Math.floor(k / 3)} of '${path}' has the coordinate ${positions[k]} in frame ${t}, ` +
        'not a finite number; bake the cache again',
    );
  }

  #readRest(warnings: WarningTally): Mesh {
    const vertices = this.#meshes.reduce((sum, mesh) => sum + mesh.vertices, 0);
    if (vertices > MAX_VERTICES) {
      throw new UnsupportedError(
        `${this.label}: ${vertices} vertices together, more than ${MAX_VERTICES}; choose meshes by name`,
      );
    }
    const positions = new Float32Array(3 * vertices);
    this.#readWhole(0, positions);
    let first = 0;
    const blocks = this.#meshes.map((mesh) => {
      const own = positions.subarray(first, first + 3 * mesh.vertices);
      first += own.length;
      return this.#readBlock(mesh, own, warnings);
    });
    return mergeMeshes(this.name, blocks, positions);
  }

  /** Uses the world transforms as last set, i.e. at the first frame. */
  #readBlock(mesh: AlembicMesh, positions: Float32Array, warnings: WarningTally): MeshBlock {
    const world = multiply(this.#toModel, this.#worlds.of(mesh.content.object), identityTransform());
    const faces = readMeshFaces(mesh, positions, determinant(world) < 0, this.label, warnings);
    const uvParam = readGeomParam(mesh, 'uv', 2);
    const uvs = uvParam && cornerAttribute(uvParam, 2, mesh, faces, warnings);
    const normalParam = readGeomParam(mesh, 'N', 3);
    const normals = normalParam && !isSingular(world) && cornerAttribute(normalParam, 3, mesh, faces, warnings);
    return {
      name: mesh.name,
      positions,
      faces,
      // v points up in the archive and down in the model.
      uvs: uvs && { ...uvs, values: uvs.values.map((value, k) => (k % 2 === 1 ? 1 - value : value)) },
      normals: normals ? { ...normals, values: turnedNormals(normals.values, world) } : undefined,
    };
  }
}

function checkedOptions(options: Partial<AlembicOptions> | undefined): AlembicOptions {
  const resolved = resolveOptions('AlembicAnimation', ALEMBIC_DEFAULTS, options);
  const { up, scale, fps } = resolved;
  if (up !== 'y' && up !== 'z') throw new UsageError(`Alembic: up is '${up}', expected y or z`);
  if (!(scale > 0 && Number.isFinite(scale))) throw new UsageError(`Alembic: scale is ${scale}, expected above 0`);
  if (fps !== undefined && !(fps > 0 && Number.isFinite(fps))) {
    throw new UsageError(`Alembic: fps is ${fps}, expected above 0`);
  }
  return resolved;
}

function toModel(up: 'y' | 'z', s: number): Transform {
  return up === 'y'
    ? Float64Array.of(s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0)
    : Float64Array.of(s, 0, 0, 0, 0, 0, s, 0, 0, -s, 0, 0);
}

/** A⁻ᵀ n, normalised: keeps normals perpendicular to the transformed surface. */
function turnedNormals(normals: Float32Array, a: Transform): Float32Array {
  if (isIdentity(a)) return normals;
  const inverse = invert(a, identityTransform());
  const out = new Float64Array(normals.length);
  for (let k = 0; k < normals.length; k += 3) {
    for (let r = 0; r < 3; r++) {
      out[k + r] = inverse[r] * normals[k] + inverse[4 + r] * normals[k + 1] + inverse[8 + r] * normals[k + 2];
    }
  }
  return unitVectors(out);
}

function isIdentity(a: Transform): boolean {
  for (let k = 0; k < 12; k++) if (a[k] !== (k % 5 === 0 ? 1 : 0)) return false;
  return true;
}
