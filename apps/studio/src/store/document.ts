/**
 * What the studio is about, as plain data: the animation that was opened, the runs over it, and what is chosen for the
 * next one. Everything in a `StudioDocument` can be undone and is kept in the browser. Large arrays are not in here but in
 * the library, under the ids that stand here.
 */
import { DECOMPOSE_DEFAULTS, type DecomposeMethod, type RestPose } from '@pelt/skin/decompose/options';
import type { TakeQuality } from '@pelt/skin/puppet';
import { PUPPET_DEFAULTS } from '@pelt/skin/puppet/options';
import { SKELETON_DEFAULTS, type SkeletonMethod } from '@pelt/skin/skeleton/options';
import { type EditedClip, FIRST_CLIP, freeId, freeName, newClip } from './clips.ts';
import { type FaceDocument, NO_FACE } from './face.ts';
import type { Landmarks } from './landmarks.ts';
import type { MoreOptions } from './more-options.ts';
import type { PlacedJoint } from './placed-skeleton.ts';

export const MODES = ['fit', 'skeleton', 'reduce', 'pose', 'skin', 'volume', 'puppet', 'face'] as const;
export type Mode = (typeof MODES)[number];

/** How the files of an animation are to be taken: options of the commands, by their names. */
export interface InputChoices {
  readonly rest?: string | undefined;
  readonly fps?: number | undefined;
  readonly up?: 'y' | 'z' | undefined;
  /** Several clips of the mesh that is the input; absent: its files are one animation. */
  readonly clip?: readonly NamedClip[] | undefined;
}

/** One of several clips of a mesh, as the commands take them. */
export interface NamedClip {
  readonly name: string;
  readonly files: readonly string[];
}

/** A clip among the frames. */
export interface ClipFrames {
  readonly name: string;
  readonly frames: number;
}

export interface OpenedInput {
  /** Of the animation and its files in the library. */
  readonly id: string;
  readonly label: string;
  /** Paths as a command would name them. */
  readonly inputs: readonly string[];
  readonly choices: InputChoices;
  readonly vertices: number;
  readonly triangles: number;
  readonly frames: number;
  readonly fps: number;
  /** Behind each other; one for most files, absent in projects that were kept before there were several. */
  readonly clips?: readonly ClipFrames[];
  /** Whether it is a face: blend shapes that sliders can be fitted to, or sliders that were fitted. */
  readonly face?: 'shapes' | 'fitted';
  /** Whether it came with the studio. */
  readonly example: boolean;
}

export interface FitChoices {
  readonly method: DecomposeMethod;
  /** Whether a number of bones is given, or an error to reach. */
  readonly goal: 'bones' | 'error';
  readonly bones: number;
  /** As the command takes it: an E_RMS, or a length with a unit. */
  readonly maxError: string;
  readonly weights: number;
  readonly smooth: number;
  readonly restPose: RestPose;
  /** Options that the panel has folded away. */
  readonly more: MoreOptions;
}

export interface SkeletonChoices {
  readonly method: SkeletonMethod;
  /** At most; 0 leaves the number to the method. */
  readonly bones: number;
  readonly weights: number;
  readonly symmetry: boolean;
  /** Options that the panel has folded away. */
  readonly more: MoreOptions;
}

export interface ReduceChoices {
  readonly method: 'weights' | 'two-layer' | 'budget';
  readonly weights: number;
  /** Most bones; 0 keeps all. */
  readonly bones: number;
  /** Virtual bones; 0 leaves the number to the method. */
  readonly virtual: number;
  /** Kilobytes. */
  readonly budget: number;
  readonly compress: 'none' | 'meshopt';
  /** Options that the panel has folded away. */
  readonly more: MoreOptions;
}

export interface SkinChoices {
  /** What is learnt: the predictor of the command, or one of the baselines it is compared with. */
  readonly predictor: 'linear-maps' | 'wang' | 'psd' | 'ssd' | 'mohr-gleicher';
  /** Every so-manieth frame trains; the others test. */
  readonly every: number;
  /** Frames that train in place of those, from 0, rising. */
  readonly frames: readonly number[] | undefined;
  /** Proxy bones; 0 leaves the number to the method. */
  readonly proxies: number;
  /** Options that the panel has folded away. */
  readonly more: MoreOptions;
}

/** A file that a command takes beside the animation. */
export interface ExtraFile {
  /** In the library. */
  readonly id: string;
  readonly name: string;
}

/** A pose of the performer that was held, and what the character does then. */
export interface MadePair {
  readonly name: string;
  /** 33 × 3 positions of MediaPipe's joints, +Y up, facing +Z. */
  readonly performer: readonly number[];
  /** Twelve numbers, rest to pose, for each bone by its name in the file. */
  readonly character: Readonly<Record<string, readonly number[]>>;
}

/** A performance that was recorded here, and the part of it that is used. */
export interface Take {
  /** The whole recording in the library. */
  readonly id: string;
  readonly name: string;
  readonly frames: number;
  readonly seconds: number;
  /** First and last frame that are used. */
  readonly from: number;
  readonly to: number;
}

export interface PuppetChoices {
  /** Who performs: a file, or whoever stands before the camera. */
  readonly source: 'file' | 'camera';
  /** Whether the character does what a mirror would. */
  /** Whether the camera tracks fingers, too. */
  readonly fingers: boolean;
  readonly mirrored: boolean;
  /** Pairs that were made before the camera; `pairs` is their file then. */
  readonly made: readonly MadePair[];
  readonly take: Take | undefined;
  readonly motion: ExtraFile | undefined;
  readonly pairs: ExtraFile | undefined;
  readonly parts: 'whole' | 'body' | 'limbs';
  /** Whether feet on the ground are kept from sliding. */
  readonly contacts: boolean;
  /** Names of bones that swing after the motion, with commas between. */
  readonly loose: string;
  readonly delay: number;
  readonly travel: number;
  /** Options that the panel has folded away. */
  readonly more: MoreOptions;
}

/** A performance on the character. */
export interface Performance {
  /** Of its file in the library. */
  readonly id: string;
  readonly character: string;
  readonly inputs: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly bytes: number;
  /** How steady it is. */
  readonly quality?: TakeQuality | undefined;
}

/** A motion capture whose skeleton was fitted into the body. */
export interface FittedCapture extends ExtraFile {
  readonly landmarks: Landmarks;
  readonly joints: readonly PlacedJoint[];
}

export interface VolumeChoices {
  /** A skeleton that is placed by hand, in the rest pose of the animation. */
  readonly joints: readonly PlacedJoint[];
  /** Whether what is done on one side is done on the other. */
  readonly mirrored: boolean;
  /** Vertices of the animation that hold to the bones; undefined: rings that are found by themselves. */
  readonly constraints: readonly number[] | undefined;
  /** The capture whose skeleton was fitted, and the joints as they came of it. */
  readonly capture: FittedCapture | undefined;
  /** Shapes of the body in some frames of its motion, and which frames: `1,12,24`. */
  readonly examples: readonly ExtraFile[];
  readonly at: string;
  /** Options that the panel has folded away. */
  readonly more: MoreOptions;
}

/** Bytes of a GLB by what they are for. */
export interface FileParts {
  readonly geometry: number;
  readonly animation: number;
  readonly json: number;
}

export type RunCommand = 'fit' | 'skeleton' | 'reduce' | 'envelope';

/** A run that has ended: what was asked, and what came out. */
export interface FinishedRun {
  /** Of the result in the library. */
  readonly id: string;
  readonly command: RunCommand;
  /** Of the request, as the command takes them; absent for a rig that was made elsewhere. */
  readonly options: Readonly<Record<string, unknown>> | undefined;
  readonly inputs: readonly string[];
  /** The run that was reduced. */
  readonly from?: string | undefined;
  readonly title: string;
  readonly bones: number;
  /** Whether its bones have a hierarchy. */
  readonly jointed: boolean;
  readonly weights: number;
  readonly eRms: number;
  /** E_RMS of every frame. */
  readonly frameErrors: readonly number[];
  /** Distances that half, 95 % and 99.9 % of all vertices and frames stay below, in parts of the diagonal. */
  readonly spread: { readonly median: number; readonly p95: number; readonly p999: number };
  readonly seconds: number;
  readonly bytes: number;
  /** Bytes of the file by what they are for. */
  readonly parts: FileParts;
  /** As the command prints it. */
  readonly report: object;
  /** E_RMS after every round, as it was shown. */
  readonly curve: readonly number[];
}

/** A point of the skin and where it was pulled to. */
export interface PoseHandle {
  readonly vertex: number;
  readonly target: readonly [number, number, number];
}

/** A pose that was saved; the positions of all vertices are in the library. */
export interface SavedPose {
  readonly id: string;
  readonly name: string;
  readonly handles: readonly PoseHandle[];
}

export interface PosingChoices {
  /** What posing is learnt from: the bones of the run that is shown, the meshes that were opened, or what fits best. */
  readonly learn: 'auto' | 'run' | 'examples';
  /** Options that the panel has folded away. */
  readonly more: MoreOptions;
}

/** A character that was prepared for posing. */
export interface PreparedPoser {
  /** Of its file in the library. */
  readonly id: string;
  /** The run, or the input, that it was made from. */
  readonly run: string;
  /** Name of the file of the other character that its pose space was moved onto. */
  readonly onto?: string;
}

export interface StudioDocument {
  readonly mode: Mode;
  readonly input: OpenedInput | undefined;
  readonly runs: readonly FinishedRun[];
  /** The run that is shown, and the one that stands in the place of the original to be compared with it. */
  readonly shown: string | undefined;
  readonly compared: string | undefined;
  readonly fit: FitChoices;
  readonly skeleton: SkeletonChoices;
  readonly reduce: ReduceChoices;
  readonly skin: SkinChoices;
  readonly volume: VolumeChoices;
  readonly posing: PosingChoices;
  readonly poser: PreparedPoser | undefined;
  readonly puppet: PuppetChoices;
  readonly performance: Performance | undefined;
  readonly poses: readonly SavedPose[];
  /** At least one; all of them move the character that is shown. */
  readonly clips: readonly EditedClip[];
  /** The clip that is being made. */
  readonly clip: string;
  readonly face: FaceDocument;
}

export const EMPTY_DOCUMENT: StudioDocument = {
  mode: 'fit',
  input: undefined,
  runs: [],
  shown: undefined,
  compared: undefined,
  fit: {
    method: DECOMPOSE_DEFAULTS.method,
    goal: 'bones',
    bones: 12,
    maxError: '2',
    weights: DECOMPOSE_DEFAULTS.weights,
    smooth: DECOMPOSE_DEFAULTS.smooth,
    restPose: DECOMPOSE_DEFAULTS.restPose,
    more: {},
  },
  skeleton: {
    method: SKELETON_DEFAULTS.method,
    bones: 0,
    weights: SKELETON_DEFAULTS.weights,
    symmetry: SKELETON_DEFAULTS.symmetry === true,
    more: {},
  },
  reduce: { method: 'weights', weights: 2, bones: 0, virtual: 0, budget: 50, compress: 'meshopt', more: {} },
  skin: { predictor: 'linear-maps', every: 3, frames: undefined, proxies: 0, more: {} },
  volume: { joints: [], mirrored: true, constraints: undefined, capture: undefined, examples: [], at: '', more: {} },
  posing: { learn: 'auto', more: {} },
  poser: undefined,
  puppet: {
    source: 'file',
    fingers: false,
    mirrored: true,
    made: [],
    take: undefined,
    motion: undefined,
    pairs: undefined,
    parts: 'whole',
    contacts: false,
    loose: '',
    delay: PUPPET_DEFAULTS.delay,
    travel: PUPPET_DEFAULTS.travel,
    more: {},
  },
  performance: undefined,
  poses: [],
  clips: [FIRST_CLIP],
  clip: FIRST_CLIP.id,
  face: NO_FACE,
};

export function runOf(document: StudioDocument, id: string | undefined): FinishedRun | undefined {
  return document.runs.find((run) => run.id === id);
}

/** What hands are put on and what performs: the run that is shown, with the skin that it has. */
export function characterOf(document: StudioDocument): FinishedRun | undefined {
  return runOf(document, document.shown);
}

/** The clip that is being made. */
export function clipOf({ clips, clip }: Pick<StudioDocument, 'clips' | 'clip'>): EditedClip {
  return clips.find(({ id }) => id === clip) ?? clips[0];
}

/** A document with the clip that is being made changed. */
export function withClip(document: StudioDocument, change: (clip: EditedClip) => EditedClip): StudioDocument {
  const now = clipOf(document);
  return { ...document, clips: document.clips.map((clip) => (clip === now ? change(now) : clip)) };
}

/** A document with one more clip, which is the one that is made from now on. */
export function withNewClip(document: StudioDocument, like?: Partial<EditedClip>): StudioDocument {
  const id = freeId(document.clips);
  const { frames, fps } = clipOf(document);
  const name = freeName(document.clips, like?.name ?? 'Clip 1');
  return {
    ...document,
    clips: [...document.clips, { ...newClip(id, name, { frames, fps }), ...like, id, name }],
    clip: id,
  };
}

/** The rig that a reduction or a learnt skin starts from: the one that is shown, or what that one was made from. */
export function baseOf(document: StudioDocument): FinishedRun | undefined {
  const shown = runOf(document, document.shown);
  return shown?.from === undefined ? shown : runOf(document, shown.from);
}

/** The frames that train, from 0. @param count  frames of the animation */
export function trainingFrames({ every, frames }: SkinChoices, count: number): readonly number[] {
  return frames ?? Array.from({ length: Math.ceil(count / every) }, (_, k) => k * every);
}
