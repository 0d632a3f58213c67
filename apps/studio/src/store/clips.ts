/** Clips that are made by hand: their length and rate, and tracks of keys that move, copy and scale together. */
import type { Expression } from './face.ts';
import { type Curve, type Ease, type Key, numbersAt, withKey } from './keys.ts';

/** What keys are of: saved poses, turns of joints, places that hands and feet reach for, sliders. */
export const TRACKS = ['pose', 'joints', 'targets', 'sliders'] as const;
export type Track = (typeof TRACKS)[number];

/** How joints are turned from the motion below, by name, as quaternions; and where the root is moved. */
export interface JointPose {
  readonly turns: Readonly<Record<string, readonly [number, number, number, number]>>;
  readonly shift?: readonly [number, number, number];
}

/** Where the end of a limb is to be, and which way its middle points: places in the character's own space. */
export interface Reach {
  readonly at: readonly [number, number, number];
  readonly pole: readonly [number, number, number];
  /** Bones that turn for it: two of an arm or a leg, more of a tail. */
  readonly bones: number;
}

/** By the name of the joint at the end. */
export type Reaches = Readonly<Record<string, Reach>>;

export interface ClipTracks {
  /** Ids of saved poses. */
  readonly pose: readonly Key<string>[];
  readonly joints: readonly Key<JointPose>[];
  readonly targets: readonly Key<Reaches>[];
  readonly sliders: readonly Key<Expression>[];
}

/** The motion that keys of joints lie over. */
export type ClipBase =
  | { readonly kind: 'own'; readonly name: string }
  /** The id of a file in the library whose first clip it is. */
  | { readonly kind: 'file'; readonly id: string; readonly name: string };

export interface EditedClip {
  readonly id: string;
  readonly name: string;
  readonly frames: number;
  readonly fps: number;
  /** Whether its end goes on into its beginning. */
  readonly closes: boolean;
  readonly base: ClipBase | undefined;
  readonly tracks: ClipTracks;
}

/** A key among the tracks of a clip. */
export interface KeyPlace {
  readonly track: Track;
  readonly frame: number;
}

export const NO_KEYS: ClipTracks = { pose: [], joints: [], targets: [], sliders: [] };
/** Seconds of a new clip, at least. */
const SECONDS = 3;
const FPS = 30;
/** Frames a second below which an animation is a row of poses. */
const SLOWEST = 12;
export const MOST_FRAMES = 36_000;

export const FIRST_CLIP: EditedClip = newClip('clip-1', 'Clip 1', { frames: SECONDS * FPS, fps: FPS });

/** A clip that is as long as an animation, and long enough to animate in. */
export function newClip(
  id: string,
  name: string,
  { frames, fps }: { readonly frames: number; readonly fps: number },
): EditedClip {
  // Sculpts and sparse keys have no rate that anything could be animated at.
  const rate = fps < SLOWEST ? FPS : Math.round(fps);
  const length = Math.round(((frames - 1) * rate) / Math.max(fps, Number.MIN_VALUE)) + 1;
  return {
    id,
    name,
    frames: Math.min(MOST_FRAMES, Math.max(length, SECONDS * rate)),
    fps: rate,
    closes: false,
    base: undefined,
    tracks: NO_KEYS,
  };
}

/** A name as given, or with a number that no other clip has. */
export function freeName(clips: readonly EditedClip[], wanted: string): string {
  const taken = new Set(clips.map(({ name }) => name));
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/ \d+$/, '');
  for (let k = 2; ; k++) if (!taken.has(`${stem} ${k}`)) return `${stem} ${k}`;
}

export function freeId(clips: readonly EditedClip[]): string {
  for (let k = 1; ; k++) if (clips.every(({ id }) => id !== `clip-${k}`)) return `clip-${k}`;
}

/** Frames after which a clip begins again, where it does. */
export function periodOf({ frames, closes }: Pick<EditedClip, 'frames' | 'closes'>): number | undefined {
  return closes ? frames : undefined;
}

/** Sets a key; one at its frame keeps its ease. */
export function keyed<T extends Track>(
  clip: EditedClip,
  track: T,
  frame: number,
  value: ClipTracks[T][number]['value'],
): EditedClip {
  const keys = clip.tracks[track] as readonly Key<unknown>[];
  const here = keys.find((key) => key.frame === frame);
  return withTrack(clip, track, withKey(keys, { ease: 'smooth', ...here, frame, value }));
}

/** Keys changed where they are chosen, each by its own change; undefined removes it. Moved keys replace what they meet. */
function changed(
  clip: EditedClip,
  places: readonly KeyPlace[],
  change: (key: Key<unknown>) => Key<unknown> | undefined,
): EditedClip {
  let now = clip;
  for (const track of TRACKS) {
    const frames = new Set(places.filter((place) => place.track === track).map(({ frame }) => frame));
    if (frames.size === 0) continue;
    const keys = clip.tracks[track] as readonly Key<unknown>[];
    const chosen = keys.filter(({ frame }) => frames.has(frame)).flatMap((key) => change(key) ?? []);
    const met = new Set(chosen.map(({ frame }) => frame));
    const others = keys.filter(({ frame }) => !frames.has(frame) && !met.has(frame));
    const each = [...new Map(chosen.map((key) => [key.frame, key])).values()];
    now = withTrack(
      now,
      track,
      [...others, ...each].toSorted((a, b) => a.frame - b.frame),
    );
  }
  return now;
}

/** How far chosen keys can be moved, so that the first does not go below 0. */
export function movable(places: readonly KeyPlace[], by: number): number {
  return Math.max(by, -Math.min(...places.map(({ frame }) => frame), Number.POSITIVE_INFINITY));
}

export function movedKeys(clip: EditedClip, places: readonly KeyPlace[], by: number): EditedClip {
  const far = movable(places, by);
  return reaching(changed(clip, places, (key) => ({ ...key, frame: key.frame + far })));
}

/** Frames of chosen keys about one that stays, rounded. */
export function scaledFrame(frame: number, about: number, factor: number): number {
  return Math.max(0, Math.round(about + (frame - about) * factor));
}

export function scaledKeys(clip: EditedClip, places: readonly KeyPlace[], about: number, factor: number): EditedClip {
  return reaching(changed(clip, places, (key) => ({ ...key, frame: scaledFrame(key.frame, about, factor) })));
}

export function removedKeys(clip: EditedClip, places: readonly KeyPlace[]): EditedClip {
  return changed(clip, places, () => undefined);
}

export function easedKeys(clip: EditedClip, places: readonly KeyPlace[], ease: Ease, curve?: Curve): EditedClip {
  return changed(clip, places, ({ frame, value }) => ({ frame, value, ease, ...(curve && { curve }) }));
}

/** What is copied: keys with their tracks, from the first of them on. */
export interface CopiedKeys {
  readonly keys: readonly { readonly track: Track; readonly key: Key<unknown> }[];
}

export function copiedKeys(clip: EditedClip, places: readonly KeyPlace[]): CopiedKeys {
  const first = Math.min(...places.map(({ frame }) => frame));
  const keys = TRACKS.flatMap((track) => {
    const frames = new Set(places.filter((place) => place.track === track).map(({ frame }) => frame));
    const own = (clip.tracks[track] as readonly Key<unknown>[]).filter(({ frame }) => frames.has(frame));
    return own.map((key) => ({ track, key: { ...key, frame: key.frame - first } }));
  });
  return { keys };
}

/** Copied keys from a frame on. */
export function pastedKeys(clip: EditedClip, { keys }: CopiedKeys, at: number): EditedClip {
  let now = clip;
  for (const { track, key } of keys) {
    const here = now.tracks[track] as readonly Key<unknown>[];
    now = withTrack(now, track, withKey(here, { ...key, frame: at + key.frame }));
  }
  return reaching(now);
}

/** Frames of a track, or of all of them, in order, each once. */
export function keyFrames({ tracks }: EditedClip, track?: Track): readonly number[] {
  const all = (track ? [track] : TRACKS).flatMap((one) => tracks[one].map(({ frame }) => frame));
  return [...new Set(all)].sort((a, b) => a - b);
}

/** How joints are turned at a frame, and how far the root is moved. */
export function jointsAt({ tracks, ...clip }: EditedClip, frame: number): JointPose {
  const keys = tracks.joints;
  const names = [...new Set(keys.flatMap(({ value }) => Object.keys(value.turns)))];
  const turns: Record<string, readonly [number, number, number, number]> = {};
  for (const name of names) {
    const own = alike(keys.map((key) => ({ ...key, value: key.value.turns[name] ?? STILL })));
    const [x, y, z, w] = numbersAt(own, frame, periodOf(clip), (value) => value) ?? STILL;
    const length = Math.hypot(x, y, z, w) || 1;
    turns[name] = [x / length, y / length, z / length, w / length];
  }
  const [x, y, z] = numbersAt(keys, frame, periodOf(clip), ({ shift = [0, 0, 0] }) => shift) ?? [0, 0, 0];
  return { turns, shift: [x, y, z] };
}

const STILL = [0, 0, 0, 1] as const;

type Turn = readonly [number, number, number, number];

/** The same turns with signs by which each is near to the one before. */
function alike(keys: readonly Key<Turn>[]): Key<Turn>[] {
  let before: Turn = keys[0]?.value ?? STILL;
  return keys.map((key) => {
    const [x, y, z, w] = key.value;
    const near = x * before[0] + y * before[1] + z * before[2] + w * before[3] >= 0;
    before = near ? key.value : [-x, -y, -z, -w];
    return { ...key, value: before };
  });
}

/** Where limbs reach at a frame, and how much of it is done, from 0 to 1: a place that one key has alone comes in and goes. */
export function reachesAt(
  { tracks, ...clip }: EditedClip,
  frame: number,
): readonly (Reach & { joint: string; share: number })[] {
  const keys = tracks.targets;
  const names = [...new Set(keys.flatMap(({ value }) => Object.keys(value)))];
  return names.flatMap((joint) => {
    const known = keys.map(({ value }) => value[joint]);
    const filled = keys.map((key, k) => {
      const near = known[k] ?? known.slice(k).find(Boolean) ?? known.slice(0, k).findLast(Boolean);
      return { ...key, value: near ? [...near.at, ...near.pole, known[k] ? 1 : 0] : [] };
    });
    const numbers = numbersAt(filled, frame, periodOf(clip), (value) => value);
    if (!numbers || numbers.length < 7 || numbers[6] <= 0) return [];
    const [x, y, z, a, b, c, share] = numbers;
    const bones = known.find(Boolean)?.bones ?? 2;
    return [{ joint, at: [x, y, z] as const, pole: [a, b, c] as const, bones, share }];
  });
}

/** What sliders are at a frame. */
export function slidersAt({ tracks, ...clip }: EditedClip, frame: number): Expression {
  const names = [...new Set(tracks.sliders.flatMap(({ value }) => Object.keys(value)))];
  const values = numbersAt(tracks.sliders, frame, periodOf(clip), (value) => names.map((name) => value[name] ?? 0));
  return Object.fromEntries(names.map((name, k) => [name, values?.[k] ?? 0]));
}

function withTrack(clip: EditedClip, track: Track, keys: readonly Key<unknown>[]): EditedClip {
  return { ...clip, tracks: { ...clip.tracks, [track]: keys } };
}

/** Long enough for its last key. */
function reaching(clip: EditedClip): EditedClip {
  const last = keyFrames(clip).at(-1) ?? 0;
  return last < clip.frames ? clip : { ...clip, frames: Math.min(MOST_FRAMES, last + 1) };
}
