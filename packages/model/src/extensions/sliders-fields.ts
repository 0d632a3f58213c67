/**
 * The maps and clips of `PELT_sliders`: entries in the order of their places 12 · joint + element, gaps between them in
 * bytes, values of 16 bits in units of a scale. docs/extensions describes its arrays.
 */
import { InputError } from '../errors.ts';
import { TRANSFORM_SIZE } from '../rig.ts';
import { type SliderClip, type Sliders, validateSliderClip, validateSliders } from '../sliders.ts';
import { EXTENSION_VERSION, ExtensionFields, type GltfExtension, type PayloadArray } from './payload.ts';

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

export function encodeSliders(sliders: Sliders, clips: readonly SliderClip[] = []): GltfExtension {
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
 * Sliders and their clips. Throws `InputError` where they do not fit the bones.
 *
 * @param bones   m
 * @param boneOf  the bone of a joint of the first skin; undefined where there is none
 */
export function decodeSliders(
  extension: GltfExtension,
  bones: number,
  boneOf: (joint: number) => number | undefined,
): FileSliders {
  const fields = new ExtensionFields(extension);
  const names = fields.names('sliders');
  const sliders = unpackedMaps(fields, names, (joint) => boneOf(joint) ?? NO_BONE);
  validateSliders(sliders, bones);
  return { sliders, clips: clipsOf(fields, names.length) };
}

function unpackedMaps(fields: ExtensionFields, names: readonly string[], boneOf: (joint: number) => number): Sliders {
  const stored = fields.array('starts', Uint32Array);
  const gaps = fields.array('gaps', Uint8Array);
  const scales = fields.array('scales', Float32Array);
  const numbers = fields.array('values', Int16Array);
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

function clipsOf(fields: ExtensionFields, S: number): SliderClip[] {
  const { clips } = fields.json;
  if (clips === undefined) return [];
  if (!Array.isArray(clips)) throw new InputError(`${SLIDERS_EXTENSION}: clips must be a list`);
  const times = fields.array('clipTimes', Float32Array);
  const values = fields.array('clipValues', Float32Array);
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
