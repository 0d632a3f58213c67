/** What the page and its workers say to each other: plain data only. */
import type { JobRequest } from '@pelt/jobs';
import type { Capsules, Mesh, MeshSequence, Motion, Progress, Registration, SliderClip, Snapshot } from '@pelt/model';
import type { BodyPlan } from '@pelt/skin/embed/options';
import type { PuppetOptions } from '@pelt/skin/puppet/options';
import type { ClipFrames, FileParts, InputChoices } from '../store/document.ts';
import type { Landmarks } from '../store/landmarks.ts';
import type { Played, StoredFile } from '../store/library.ts';
import type { PlacedJoint } from '../store/placed-skeleton.ts';
import type { BoundBody } from './bind-body.ts';
import type { CaptureSkeleton } from './capture-skeleton.ts';
import type { JointClip } from './joint-clips.ts';
import type { OpenedFace } from './open-face.ts';
import type { Rehearsal } from './rehearse.ts';

/** The files of an animation and how they are to be taken. */
export interface AnimationFiles {
  readonly files: readonly StoredFile[];
  readonly inputs: readonly string[];
  readonly choices: InputChoices;
}

/** What a performance is made of. */
export interface PuppetFiles {
  readonly character: StoredFile | undefined;
  readonly motion: StoredFile | undefined;
  readonly pairs: StoredFile | undefined;
}

export interface PuppetData {
  readonly motion: Motion | undefined;
  /** With the character's bones by name. */
  readonly pairs: { readonly registration: Registration; readonly bones: readonly string[] } | undefined;
  /** Of the character's body, by the names of its bones; undefined where it has none to speak of. */
  readonly body: { readonly capsules: Capsules; readonly bones: readonly string[] } | undefined;
}

/** Page → worker, once. */
export type Order =
  /** What is unclear about files that were dropped. */
  | { readonly type: 'inspect'; readonly files: readonly StoredFile[] }
  /** What each of some files is, beside an animation. */
  | { readonly type: 'recognise'; readonly files: readonly StoredFile[] }
  /** Fills the body of a rig and binds it to its bones. */
  | {
      readonly type: 'bind';
      readonly rig: StoredFile;
      /** Vertices of the rig that hold to the bones. */
      readonly constraints: Uint32Array | undefined;
      readonly threads: number;
      /** How it is filled, as the command takes it. */
      readonly solid?: { readonly spacing?: number; readonly grading?: number };
    }
  /** The clips of a character, at a rate. */
  | { readonly type: 'clips'; readonly file: StoredFile; readonly fps: number }
  /** A character with a clip before its own. */
  | { readonly type: 'animate'; readonly file: StoredFile; readonly clip: JointClip; readonly path: string }
  /** A rig of the rest pose and joints that were placed in it, measured against the animation. */
  | {
      readonly type: 'rig';
      readonly animation: AnimationFiles;
      readonly joints: readonly PlacedJoint[];
      readonly path: string;
      readonly threads: number;
      /** The capture whose skeleton they are, which they then play. */
      readonly capture?: { readonly file: StoredFile; readonly landmarks: Landmarks } | undefined;
    }
  /** The skeleton of a capture: what of a body it has, and, where landmarks are given, all of it in the body. */
  | { readonly type: 'capture'; readonly file: StoredFile; readonly landmarks: Landmarks | undefined }
  /** The joints of a body plan, found in a mesh by its shape. */
  | {
      readonly type: 'embed';
      readonly mesh: Pick<Mesh, 'positions' | 'triangles'>;
      readonly like: BodyPlan;
      readonly threads: number;
    }
  /** A face with sliders, on its own vertices, beside the blend shapes that it was made from. */
  | { readonly type: 'face'; readonly file: StoredFile; readonly original: AnimationFiles | undefined }
  /** A recording on the sliders of a face. */
  | { readonly type: 'recording'; readonly file: StoredFile; readonly names: readonly string[] }
  /** What the character does over a whole motion, before it is written. */
  | {
      readonly type: 'rehearse';
      readonly files: PuppetFiles;
      readonly options: Partial<PuppetOptions>;
      readonly fps: number;
    }
  /** Reads a motion, and pairs with the character that they are of. */
  | { readonly type: 'puppet'; readonly files: PuppetFiles }
  | {
      readonly type: 'open';
      readonly animation: AnimationFiles;
      readonly rigs: readonly StoredFile[];
      /** Leave out the rig that the animation itself may have. */
      readonly bare?: boolean;
    }
  | {
      readonly type: 'run';
      readonly request: JobRequest;
      readonly files: readonly StoredFile[];
      readonly threads: number;
      /** Read the result back and measure it against this animation. */
      readonly measure?: AnimationFiles | undefined;
    };

/** A result as the file holds it, beside the animation. */
export interface Measured {
  readonly played: Played;
  readonly parts: FileParts;
  readonly frameErrors: readonly number[];
  readonly spread: { readonly median: number; readonly p95: number; readonly p999: number };
}

/** What a file is, by what it holds. */
export type Recognised =
  | { readonly kind: 'motion' | 'pairs' | 'face-recording' }
  | { readonly kind: 'other'; readonly reason: string };

export interface Inspection {
  /** The paths a command would be given. */
  readonly inputs: readonly string[];
  /** Files of which one is the animation, where there are several: each is one that a command would be given last. */
  readonly clips: readonly string[];
  readonly rests: readonly string[];
  readonly rest: string | undefined;
  readonly fps: number | undefined;
  readonly up: 'y' | 'z' | undefined;
  /** A rig that came with the shapes it shall show. */
  readonly rig?: string | undefined;
  /** Whether anything has to be asked. */
  readonly unclear: boolean;
}

export interface Ran {
  readonly report: object;
  readonly written: readonly StoredFile[];
  readonly measured?: Measured | undefined;
}

export interface Opened {
  readonly sequence: MeshSequence;
  readonly label: string;
  readonly clips: readonly ClipFrames[];
  readonly rigs: readonly Measured[];
  readonly face?: 'shapes' | 'fitted' | undefined;
}

/** Worker → page. */
export type Answer =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'inspected'; readonly inspection: Inspection }
  | { readonly type: 'recognised'; readonly kinds: readonly Recognised[] }
  | { readonly type: 'opened'; readonly opened: Opened }
  | { readonly type: 'ran'; readonly ran: Ran }
  | { readonly type: 'bound'; readonly bound: BoundBody }
  | { readonly type: 'clips'; readonly clips: readonly JointClip[] }
  | { readonly type: 'animated'; readonly file: StoredFile }
  | { readonly type: 'captured'; readonly skeleton: CaptureSkeleton }
  | { readonly type: 'puppet'; readonly data: PuppetData }
  | { readonly type: 'rehearsed'; readonly rehearsal: Rehearsal | undefined }
  | { readonly type: 'face'; readonly face: OpenedFace }
  | { readonly type: 'recording'; readonly clip: SliderClip }
  | { readonly type: 'failed'; readonly message: string };
