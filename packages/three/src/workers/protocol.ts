/** What pages and workers say to each other. Every request but `open` is answered once; the latest counts. */
import type { Bone, Capsules, Mesh, Poser, Registration, Rig } from '@pelt/model';
import type { Handle, PoseOptions, Regions } from '@pelt/skin/pose/runtime';
import type { PuppetOptions } from '@pelt/skin/puppet/runtime';
import type { VolumeBinding, VolumeDeformerOptions } from '@pelt/skin/volume/runtime';

/** Options that can be sent: a clock is a function, and the worker has its own. */
export type SentPoseOptions = Partial<Omit<PoseOptions, 'clock'>>;

export interface OpenPose {
  readonly poser: Poser;
  readonly options: SentPoseOptions;
}

export interface AskPose {
  readonly handles: readonly Handle[];
  /** Start from here, as `undo` does; absent: from where the pose is. */
  readonly blend?: Float64Array;
  /** Vertices that stay where they are, and those that may depart from the examples, from now on. */
  readonly regions?: Regions;
  /** Milliseconds to spend before an answer. */
  readonly budget: number;
}

export interface AnswerPose {
  /** m × 12 */
  readonly transforms: Float64Array;
  readonly blend: Float64Array;
  /** All that determines the pose, to come back to it. */
  readonly parameters: Float64Array;
  /** Whether more time would change it. */
  readonly atRest: boolean;
}

export interface OpenPuppet {
  readonly rig: Rig;
  /** Of a character without a skeleton: what its shapes are blended by. */
  readonly poser?: Poser | undefined;
  readonly registration: Registration | undefined;
  readonly performer: readonly string[];
  readonly neutral: Float32Array | undefined;
  /** A camera that sees the performer, who is calibrated by a second of standing. */
  readonly camera?: 'depth' | 'picture' | undefined;
  /** Of its body at rest, which limbs stay out of. */
  readonly capsules?: Capsules | undefined;
  readonly options: Partial<PuppetOptions>;
}

export interface AskPuppet {
  readonly joints: Float32Array;
  readonly time: number;
  readonly confidence?: Float32Array;
  /** Of a character without a skeleton: what is held in place; absent: as before. */
  readonly handles?: readonly Handle[];
}

export interface AnswerPuppet {
  readonly transforms: Float64Array;
  /** P × N */
  readonly weights: Float64Array;
  readonly parts: readonly string[];
  readonly resting: boolean;
  /** Whether a performer before a camera has stood for a second. */
  readonly calibrated: boolean;
  /** E shares of the examples' details, of a character without a skeleton. */
  readonly blend?: Float64Array;
}

export interface OpenVolume {
  readonly surface: Mesh;
  readonly bones: readonly Bone[];
  readonly binding: VolumeBinding;
  readonly options: Partial<VolumeDeformerOptions>;
}

export interface AskVolume {
  readonly transforms: Float64Array;
}

export interface AnswerVolume {
  /** n × 3 */
  readonly positions: Float32Array;
  /** n × 3, unit length */
  readonly normals: Float32Array;
}

export type ToWorker<Open, Ask> = { readonly open: Open } | { readonly id: number; readonly ask: Ask };

export type FromWorker<Answer> =
  | { readonly opened: true }
  | { readonly id: number; readonly answer: Answer }
  | { readonly error: string };
