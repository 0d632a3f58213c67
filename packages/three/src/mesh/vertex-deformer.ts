/**
 * One vertex on the CPU, as the shaders pose it: linear blending or dual quaternions over the palette, then the
 * displacements of a learnt skin. Raycasting and bounds go through here, and tests compare the GPU with it.
 */

import { TRANSFORM_SIZE } from '@pelt/model';
import { DUAL_QUATERNION_SIZE, dualQuaternions } from '@pelt/skin/blending';
import type { Vector3 } from 'three';
import { displacementCount, type PeltModel } from '../model/pelt-model.ts';
import type { PaletteSkeleton } from './palette-skeleton.ts';

export type Skinning = 'linear' | 'dual-quaternion';

export class VertexDeformer {
  readonly #model: PeltModel;
  readonly #skeleton: PaletteSkeleton;
  readonly #examples: number;
  readonly #mix: Float64Array;
  readonly #quaternions: Float64Array;
  readonly #room = new Float64Array(31);
  readonly #blended = new Float64Array(DUAL_QUATERNION_SIZE);
  #version = -1;
  #quaternionVersion = -1;
  #cardinal: Float64Array | undefined;
  #axes: Float64Array | undefined;

  /** @param model  of the vertices; the skeleton may be shared by meshes with vertices of their own */
  constructor(skeleton: PaletteSkeleton, model: PeltModel) {
    this.#skeleton = skeleton;
    this.#model = model;
    this.#examples = displacementCount(model);
    this.#mix = new Float64Array(this.#examples);
    this.#quaternions = new Float64Array((DUAL_QUATERNION_SIZE * skeleton.palette.length) / TRANSFORM_SIZE);
  }

  /** m × E weights of the example poses and L × 9 axes of the pose that the skeleton is in; undefined without any. */
  refresh(): { readonly cardinal: Float64Array; readonly axes: Float64Array } | undefined {
    if (this.#examples > 0 && this.#version !== this.#skeleton.version) {
      this.#version = this.#skeleton.version;
      const { driver } = this.#skeleton;
      this.#cardinal = driver?.cardinalWeights();
      this.#axes = driver?.keyRotations();
    }
    return this.#cardinal && this.#axes ? { cardinal: this.#cardinal, axes: this.#axes } : undefined;
  }

  /** (added + m) × 8 dual quaternions of the palette. */
  quaternions(): Float64Array {
    if (this.#quaternionVersion !== this.#skeleton.version) {
      this.#quaternionVersion = this.#skeleton.version;
      dualQuaternions(this.#skeleton.palette, this.#quaternions, this.#room);
    }
    return this.#quaternions;
  }

  /** Moves vertex i from its place at rest, morph targets included, to its place in the pose. */
  deform(i: number, point: Vector3, skinning: Skinning): Vector3 {
    if (skinning === 'linear') this.#blend(i, point);
    else this.#turn(i, point);
    this.#displace(i, point);
    return point;
  }

  #blend(i: number, point: Vector3): void {
    const { slots, bones, weights } = this.#model.skin;
    const T = this.#skeleton.palette;
    const { x: px, y: py, z: pz } = point;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      const w = weights[s];
      if (w === 0) continue;
      const b = TRANSFORM_SIZE * bones[s];
      x += w * (T[b] * px + T[b + 1] * py + T[b + 2] * pz + T[b + 3]);
      y += w * (T[b + 4] * px + T[b + 5] * py + T[b + 6] * pz + T[b + 7]);
      z += w * (T[b + 8] * px + T[b + 9] * py + T[b + 10] * pz + T[b + 11]);
    }
    point.set(x, y, z);
  }

  /** Kavan et al. 2008, algorithm 1: the weighted sum on the side of the first bone, normalised. */
  #turn(i: number, point: Vector3): void {
    const { slots, bones, weights } = this.#model.skin;
    const Q = this.quaternions();
    const q = this.#blended.fill(0);
    const first = DUAL_QUATERNION_SIZE * bones[i * slots];
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      if (weights[s] === 0) continue;
      const b = DUAL_QUATERNION_SIZE * bones[s];
      const cosine = Q[b] * Q[first] + Q[b + 1] * Q[first + 1] + Q[b + 2] * Q[first + 2] + Q[b + 3] * Q[first + 3];
      const w = cosine < 0 ? -weights[s] : weights[s];
      for (let k = 0; k < DUAL_QUATERNION_SIZE; k++) q[k] += w * Q[b + k];
    }
    const squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const cx = q[1] * point.z - q[2] * point.y + q[3] * point.x + q[4];
    const cy = q[2] * point.x - q[0] * point.z + q[3] * point.y + q[5];
    const cz = q[0] * point.y - q[1] * point.x + q[3] * point.z + q[6];
    point.x += (2 * (q[1] * cz - q[2] * cy + q[3] * q[4] - q[7] * q[0])) / squared;
    point.y += (2 * (q[2] * cx - q[0] * cz + q[3] * q[5] - q[7] * q[1])) / squared;
    point.z += (2 * (q[0] * cy - q[1] * cx + q[3] * q[6] - q[7] * q[2])) / squared;
  }

  #displace(i: number, point: Vector3): void {
    const posed = this.refresh();
    const { envelope, jointSkin } = this.#model;
    const given = envelope?.displacements;
    if (!posed || !given || !jointSkin) return;
    const E = this.#examples;
    const mix = this.#mix.fill(0);
    const { slots, bones, weights } = jointSkin;
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      if (weights[s] !== 0) for (let e = 0; e < E; e++) mix[e] += weights[s] * posed.cardinal[bones[s] * E + e];
    }
    let dx = 0;
    let dy = 0;
    let dz = 0;
    for (let e = 0, at = 3 * i; e < E; e++, at += given.displacements.length / E) {
      dx += mix[e] * given.displacements[at];
      dy += mix[e] * given.displacements[at + 1];
      dz += mix[e] * given.displacements[at + 2];
    }
    const F = posed.axes;
    const r = 9 * given.axes[i];
    point.x += F[r] * dx + F[r + 1] * dy + F[r + 2] * dz;
    point.y += F[r + 3] * dx + F[r + 4] * dy + F[r + 5] * dz;
    point.z += F[r + 6] * dx + F[r + 7] * dy + F[r + 8] * dz;
  }
}
