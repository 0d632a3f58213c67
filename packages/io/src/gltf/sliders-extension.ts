/**
 * Bones that follow sliders in a glTF, as `PELT_sliders`: the maps N of every slider in the frames of the joints of the
 * first skin, 16 bits a number, and clips of slider values. Morph targets of the mesh belong to the first sliders, in
 * their order, and hold what the bones leave.
 */
import {
  InputError,
  type SliderClip,
  type Sliders,
  TRANSFORM_SIZE,
  validateSliderClip,
  validateSliders,
} from '@pelt/model';
import type { GltfExtension, PayloadArray } from './extension-payload.ts';
import { EXTENSION_VERSION, requireVersion } from './extension-version.ts';
import type { GltfAsset } from './scene.ts';

export const SLIDERS_EXTENSION = 'PELT_sliders';

const [LARGEST, WIDEST_GAP] = [0x7fff, 0xff];
/** Refused by the validator. */
const NO_BONE = 0xffff;
/** Numbers of a map that turn and stretch, and those that move, have a scale each: their units differ. */
const SCALES = 2;

/** What a file says of its sliders. */
export interface FileSliders {
  readonly sliders: Sliders;
  readonly clips: readonly SliderClip[];
}

/**
 * Sliders as an extension of a GLB whose joints are their bones.
 * @example
 * {@includeCode ../../examples/sliders.ts}
 */
export function slidersExtension(sliders: Sliders, clips: readonly SliderClip[] = []): GltfExtension {
  const { names } = sliders;
  for (const clip of clips) validateSliderClip(clip, names.length);
  return {
    name: SLIDERS_EXTENSION,
    json: {
      version: EXTENSION_VERSION,
      sliders: [...names],
      ...(clips.length > 0 && { clips: clips.map(({ name, times }) => ({ name, frames: times.length })) }),
    },
    buffers: {
      ...packedMaps(sliders),
      ...(clips.length > 0 && {
        clipTimes: Float32Array.from(clips.flatMap(({ times }) => [...times])),
        clipValues: Float32Array.from(clips.flatMap((clip) => [...clip.values])),
      }),
    },
  };
}

/** Entries in the order of their places 12 · joint + element: gaps between them, and values in units of their scale. */
function packedMaps({ names, starts, bones, elements, values }: Sliders): Record<string, PayloadArray> {
  const scales = new Float32Array(SCALES * names.length);
  const packed = { starts: new Uint32Array(names.length + 1), gaps: [] as number[], values: [] as number[] };
  for (let s = 0; s < names.length; s++) {
    const scale = (element: number) => SCALES * s + kindOf(element);
    for (let k = starts[s]; k < starts[s + 1]; k++) {
      const at = scale(elements[k]);
      scales[at] = Math.max(scales[at], Math.abs(values[k]) / LARGEST);
    }
    const entries = Array.from({ length: starts[s + 1] - starts[s] }, (_, k) => starts[s] + k)
      .map((k) => ({ k, place: TRANSFORM_SIZE * bones[k] + elements[k] }))
      .sort((a, b) => a.place - b.place);
    let last = 0;
    for (const { k, place } of entries) {
      for (; place - last > WIDEST_GAP; last += WIDEST_GAP) {
        packed.gaps.push(WIDEST_GAP);
        packed.values.push(0);
      }
      const unit = scales[scale(elements[k])];
      packed.gaps.push(place - last);
      packed.values.push(unit > 0 ? Math.round(values[k] / unit) : 0);
      last = place;
    }
    packed.starts[s + 1] = packed.gaps.length;
  }
  return {
    starts: packed.starts,
    gaps: Uint8Array.from(packed.gaps),
    scales,
    values: Int16Array.from(packed.values),
  };
}

/**
 * The sliders of a file over the joints of its skin; undefined where it has none. Throws `InputError` where what it has
 * does not fit its skin.
 * @example
 * {@includeCode ../../examples/sliders.ts}
 */
export function readSliders(asset: Pick<GltfAsset, 'extensions' | 'scene'>): FileSliders | undefined {
  const extension = asset.extensions.find(({ name }) => name === SLIDERS_EXTENSION);
  if (!extension) return undefined;
  requireVersion(extension);
  const names = extension.json.sliders;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new InputError(`${SLIDERS_EXTENSION}: sliders must be a list of names`);
  }
  const joints = asset.scene.ranges.find(({ skin }) => skin >= 0);
  const sliders = unpackedMaps(extension, names, (joint) => joints?.bones[joint] ?? NO_BONE);
  validateSliders(sliders, asset.scene.bones.length);
  return { sliders, clips: clipsOf(extension, names.length) };
}

function unpackedMaps(extension: GltfExtension, names: readonly string[], boneOf: (joint: number) => number): Sliders {
  const stored = arrayOf(extension, 'starts', Uint32Array);
  const gaps = arrayOf(extension, 'gaps', Uint8Array);
  const scales = arrayOf(extension, 'scales', Float32Array);
  const numbers = arrayOf(extension, 'values', Int16Array);
  const S = names.length;
  if (stored.length !== S + 1 || stored[S] !== gaps.length || numbers.length !== gaps.length) {
    throw new InputError(`${SLIDERS_EXTENSION}: starts, gaps and values do not fit ${S} sliders`);
  }
  if (scales.length !== SCALES * S)
    throw new InputError(`${SLIDERS_EXTENSION}: ${scales.length} scales for ${S} sliders`);
  const starts = new Uint32Array(S + 1);
  const [bones, elements, values]: [number[], number[], number[]] = [[], [], []];
  for (let s = 0; s < S; s++) {
    let place = 0;
    for (let k = stored[s]; k < stored[s + 1]; k++) {
      place += gaps[k];
      if (numbers[k] === 0) continue;
      const element = place % TRANSFORM_SIZE;
      bones.push(boneOf(Math.floor(place / TRANSFORM_SIZE)));
      elements.push(element);
      values.push(numbers[k] * scales[SCALES * s + kindOf(element)]);
    }
    starts[s + 1] = values.length;
  }
  return {
    names,
    starts,
    bones: Uint16Array.from(bones),
    elements: Uint8Array.from(elements),
    values: Float32Array.from(values),
  };
}

function clipsOf(extension: GltfExtension, S: number): SliderClip[] {
  const { clips } = extension.json;
  if (clips === undefined) return [];
  if (!Array.isArray(clips)) throw new InputError(`${SLIDERS_EXTENSION}: clips must be a list`);
  const times = arrayOf(extension, 'clipTimes', Float32Array);
  const values = arrayOf(extension, 'clipValues', Float32Array);
  let first = 0;
  return clips.map(({ name, frames }: { name?: unknown; frames?: unknown }) => {
    if (typeof name !== 'string' || typeof frames !== 'number' || !Number.isInteger(frames) || frames < 1) {
      throw new InputError(`${SLIDERS_EXTENSION}: a clip needs a name and a number of frames`);
    }
    const end = first + frames;
    if (end > times.length) throw new InputError(`${SLIDERS_EXTENSION}: slider clip '${name}' has no ${frames} frames`);
    const clip = {
      name,
      times: Float64Array.from(times.subarray(first, end)),
      values: values.slice(S * first, S * end),
    };
    first = end;
    validateSliderClip(clip, S);
    return clip;
  });
}

/** 1 for a translation, 0 for the linear part. */
function kindOf(element: number): number {
  return element % 4 === 3 ? 1 : 0;
}

function arrayOf<T extends PayloadArray>({ buffers }: GltfExtension, name: string, Type: new (length: number) => T): T {
  const array = buffers[name];
  if (!(array instanceof Type)) throw new InputError(`${SLIDERS_EXTENSION}: buffers.${name} must be a ${Type.name}`);
  return array;
}
