/**
 * Where a ray meets a posed skin. Spheres round clusters of triangles leave few of them to test, and only their vertices
 * are posed, each once: posing all vertices first took longer, three's own raycast a hundred times as long.
 */
import {
  BackSide,
  Box3,
  DoubleSide,
  type Intersection,
  type Material,
  Matrix4,
  Ray,
  type Raycaster,
  Triangle,
  Vector2,
  Vector3,
} from 'three';
import { PosedClusters } from './cluster-spheres.ts';
import type { PeltMesh } from './pelt-mesh.ts';
import { expandByPart, stretchesOf } from './posed-bounds.ts';
import type { SkinShape, TriangleClusters } from './skin-shape.ts';

export class SkinRay {
  readonly #inverse = new Matrix4();
  readonly #ray = new Ray();
  readonly #box = new Box3();
  readonly #corners = [new Vector3(), new Vector3(), new Vector3()];
  readonly #point = new Vector3();
  readonly #world = new Vector3();
  #shape: SkinShape | undefined;
  #posed: PosedClusters | undefined;
  #positions = new Float64Array(0);
  #stamps = new Uint32Array(0);
  #cast = 0;

  /** Adds what the ray meets to `found`, as three's `Mesh.raycast` does. */
  cast(mesh: PeltMesh, raycaster: Raycaster, found: Intersection[]): void {
    const { skeleton, shape, material } = mesh;
    if (!material) return;
    skeleton.update();
    this.#ray.copy(raycaster.ray).applyMatrix4(this.#inverse.copy(mesh.matrixWorld).invert());
    if (this.#shape !== shape) this.#prepare(shape);
    this.#cast++;
    const { hull } = skeleton;
    const margin = mesh.margin();
    const { clusters } = shape;
    if (mesh.skinning === 'dual-quaternion') this.#boxClusters(mesh, hull, raycaster, found);
    else {
      const posed = this.#posed as PosedClusters;
      for (let cluster = 0; cluster + 1 < clusters.weighted.starts.length; cluster++) {
        posed.pose(cluster, hull, margin);
        if (this.#meets(posed.sphere)) this.#testCluster(mesh, clusters, cluster, raycaster, found);
      }
    }
    this.#shape = shape;
  }

  #prepare(shape: SkinShape): void {
    this.#posed = new PosedClusters(shape.clusters.weighted);
    this.#positions = new Float64Array(shape.rest.length);
    this.#stamps = new Uint32Array(shape.rest.length / 3);
    this.#cast = 0;
  }

  #meets(sphere: Float64Array): boolean {
    this.#point.set(sphere[0], sphere[1], sphere[2]);
    return this.#ray.distanceSqToPoint(this.#point) <= sphere[3] * sphere[3];
  }

  /** Dual quaternions leave the spheres; boxes round the bones' images allow for it. */
  #boxClusters(mesh: PeltMesh, hull: Float64Array, raycaster: Raycaster, found: Intersection[]): void {
    const { clusters } = mesh.shape;
    const stretches = stretchesOf(hull, new Float64Array(hull.length / 12));
    const margin = mesh.margin();
    for (let part = 0; part + 1 < clusters.parts.starts.length; part++) {
      this.#box.makeEmpty();
      expandByPart(clusters.parts, part, hull, stretches, margin, true, this.#box);
      if (this.#ray.intersectsBox(this.#box)) this.#testCluster(mesh, clusters, part, raycaster, found);
    }
  }

  #testCluster(
    mesh: PeltMesh,
    { order, size }: TriangleClusters,
    part: number,
    raycaster: Raycaster,
    found: Intersection[],
  ): void {
    const { triangles } = mesh.shape;
    const [a, b, c] = this.#corners;
    for (let k = part * size; k < Math.min(order.length, (part + 1) * size); k++) {
      const faceIndex = order[k];
      for (let corner = 0; corner < 3; corner++) {
        this.#vertex(mesh, triangles[3 * faceIndex + corner], this.#corners[corner]);
      }
      const { material, materialIndex } = materialOf(mesh, faceIndex);
      const hit =
        material.side === BackSide
          ? this.#ray.intersectTriangle(c, b, a, true, this.#point)
          : this.#ray.intersectTriangle(a, b, c, material.side !== DoubleSide, this.#point);
      if (!hit) continue;
      this.#world.copy(this.#point).applyMatrix4(mesh.matrixWorld);
      const distance = raycaster.ray.origin.distanceTo(this.#world);
      if (distance < raycaster.near || distance > raycaster.far) continue;
      found.push(this.#describe(mesh, faceIndex, materialIndex, distance));
    }
  }

  /** A vertex in the pose; posed once in a cast. */
  #vertex(mesh: PeltMesh, i: number, out: Vector3): void {
    if (this.#stamps[i] === this.#cast) out.fromArray(this.#positions, 3 * i);
    else {
      this.#stamps[i] = this.#cast;
      mesh.getVertexPosition(i, out).toArray(this.#positions, 3 * i);
    }
  }

  #describe(mesh: PeltMesh, faceIndex: number, materialIndex: number, distance: number): Intersection {
    const { triangles } = mesh.shape;
    const [i, j, k] = triangles.subarray(3 * faceIndex, 3 * faceIndex + 3);
    const [a, b, c] = this.#corners;
    const barycoord = new Vector3();
    Triangle.getBarycoord(this.#point, a, b, c, barycoord);
    const result: Intersection = {
      distance,
      point: this.#world.clone(),
      object: mesh,
      faceIndex,
      face: { a: i, b: j, c: k, normal: Triangle.getNormal(a, b, c, new Vector3()), materialIndex },
      barycoord,
    };
    const { uv, uv1 } = mesh.geometry.attributes;
    if (uv) result.uv = Triangle.getInterpolatedAttribute(uv, i, j, k, barycoord, new Vector2()) as Vector2;
    if (uv1) result.uv1 = Triangle.getInterpolatedAttribute(uv1, i, j, k, barycoord, new Vector2()) as Vector2;
    return result;
  }
}

function materialOf({ material, geometry }: PeltMesh, triangle: number): { material: Material; materialIndex: number } {
  if (!Array.isArray(material)) return { material, materialIndex: 0 };
  const corner = 3 * triangle;
  const group = geometry.groups.find(({ start, count }) => corner >= start && corner < start + count);
  const materialIndex = group?.materialIndex ?? 0;
  return { material: material[materialIndex] ?? material[0], materialIndex };
}
