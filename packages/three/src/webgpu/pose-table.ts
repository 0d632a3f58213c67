/**
 * What a pose is on the GPU: tables of a few texels for each bone, joint or key, one below the other for many poses. A
 * mesh has one pose, a crowd one for each instance or for each frame of a clip.
 */
import { TRANSFORM_SIZE } from '@pelt/model';
import type { DataTexture } from 'three';
import type { PeltMesh } from '../mesh/pelt-mesh.ts';
import { displacementCount, type PeltModel } from '../model/pelt-model.ts';
import { floatTexture, PaletteNode, paletteSize } from './texel-table.ts';

/** @param at  where the pose begins in `out`; the mesh's skeleton is up to date */
type WritePose = (mesh: PeltMesh, out: Float32Array, at: number) => void;

export class PoseTable {
  readonly width: number;
  /** Rows of one pose. */
  readonly height: number;
  /** Floats of one pose. */
  readonly size: number;
  readonly write: WritePose;
  readonly #bones: number;
  readonly #texels: number;

  constructor(bones: number, texels: number, write: WritePose) {
    this.#bones = bones;
    this.#texels = texels;
    this.write = write;
    ({ width: this.width, height: this.height } = paletteSize(bones, texels));
    this.size = 4 * this.width * this.height;
  }

  texture(poses: number): DataTexture {
    return floatTexture(new Float32Array(this.size * poses), this.width, this.height * poses);
  }

  node(texture: DataTexture): PaletteNode {
    return new PaletteNode(texture, this.#bones, this.#texels);
  }
}

/** Transforms of the palette from the first on, three texels each. */
export function paletteTable(bones: number): PoseTable {
  const length = TRANSFORM_SIZE * bones;
  return new PoseTable(bones, 3, ({ skeleton: { palette } }, out, at) => {
    // A view would be an allocation per pose.
    for (let k = 0; k < length; k++) out[at + k] = palette[k];
  });
}

/** Transforms of the joints alone, from which virtual bones are blended on the GPU. */
export function jointTable(joints: number): PoseTable {
  return new PoseTable(joints, 3, ({ skeleton }, out, at) => {
    out.set(skeleton.transforms, at);
  });
}

export interface DisplacementPose {
  /** For every joint its weights of the examples, four a texel. */
  readonly cardinal: PoseTable;
  /** Rotations of the key gradients, a row a texel. */
  readonly axes: PoseTable;
}

/** What displacements need of a pose; undefined for a model without any. */
export function displacementPose(model: PeltModel, joints: number): DisplacementPose | undefined {
  const E = displacementCount(model);
  if (E === 0) return undefined;
  const padded = 4 * Math.ceil(E / 4);
  const cardinal = new PoseTable(joints, padded / 4, ({ deformer }, out, at) => {
    const weights = deformer.refresh()?.cardinal;
    if (!weights) return;
    for (let k = 0; k < weights.length; k++) out[at + padded * Math.floor(k / E) + (k % E)] = weights[k];
  });
  const axes = new PoseTable(model.envelope?.keys.references.length ?? 1, 3, ({ deformer }, out, at) => {
    const rotations = deformer.refresh()?.axes;
    if (!rotations) return;
    for (let k = 0; k < rotations.length; k++) out[at + 4 * Math.floor(k / 3) + (k % 3)] = rotations[k];
  });
  return { cardinal, axes };
}
