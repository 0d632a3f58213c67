/** A mesh whose vertices, normals and colours change from frame to frame. */
import { vertexNormals } from '@pelt/model';
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Mesh,
  MeshStandardMaterial,
} from 'three/webgpu';
import type { Moving } from './moving.ts';
import { NEUTRAL } from './palette.ts';

export class Surface {
  readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  readonly moving: Moving;
  /** n × 3, as shown. */
  readonly positions: Float32Array;
  /** n × 3 linear RGB. */
  readonly colours: Float32Array;
  readonly #normals: Float32Array;
  readonly #sums: Float64Array;

  constructor(moving: Moving) {
    this.moving = moving;
    const n = moving.rest.length / 3;
    this.positions = moving.rest.slice();
    this.#normals = new Float32Array(3 * n);
    this.#sums = new Float64Array(3 * n);
    this.colours = new Float32Array(3 * n);
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(moving.triangles, 1));
    for (const [name, values] of [
      ['position', this.positions],
      ['normal', this.#normals],
      ['color', this.colours],
    ] as const) {
      geometry.setAttribute(name, new BufferAttribute(values, 3).setUsage(DynamicDrawUsage));
    }
    const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.78, metalness: 0, side: DoubleSide });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.paintNeutral();
    this.show(0);
  }

  show(t: number): void {
    this.moving.pose(Math.min(t, this.moving.frames - 1), this.positions);
    vertexNormals(this.positions, this.moving.triangles, this.#sums);
    for (let k = 0; k < this.#sums.length; k += 3) {
      const [x, y, z] = [this.#sums[k], this.#sums[k + 1], this.#sums[k + 2]];
      const length = Math.sqrt(x * x + y * y + z * z) || 1;
      this.#normals[k] = x / length;
      this.#normals[k + 1] = y / length;
      this.#normals[k + 2] = z / length;
    }
    this.mesh.geometry.getAttribute('position').needsUpdate = true;
    this.mesh.geometry.getAttribute('normal').needsUpdate = true;
  }

  paintNeutral(): void {
    for (let k = 0; k < this.colours.length; k++) this.colours[k] = NEUTRAL[k % 3];
    this.painted();
  }

  /** After `colours` was written. */
  painted(): void {
    this.mesh.geometry.getAttribute('color').needsUpdate = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
