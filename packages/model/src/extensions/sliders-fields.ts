/**
 * The maps and clips of `PELT_sliders`: entries in the order of their places 12 · joint + element, gaps between them in
 * bytes, values in units of the column of their joint: a byte each, sixteen bits where a byte is too narrow.
 * docs/extensions describes its arrays.
 */
import { InputError } from '../errors.ts';
import { TRANSFORM_SIZE } from '../rig.ts';
import { type SliderClip, type Sliders, validateSliderClip, validateSliders } from '../sliders.ts';
import { EXTENSION_VERSION, ExtensionFields, type GltfExtension, type PayloadArray } from './payload.ts';

export const SLIDERS_EXTENSION = 'PELT_sliders';

const [LARGEST, LARGEST_BYTE, WIDEST_GAP] = [0x7fff, 0x7f, 0xff];
/** In place of a byte: the value is the next of the wide ones. */
const WIDE = -128;
/** Refused by the validator. */
const NO_BONE = 0xffff;
/** Columns of a map, each with a unit of its own: an error in one moves as much of the surface as in another. */
const COLUMNS = 4;

/** What a file says of its sliders. */
export interface FileSliders {
  readonly sliders: Sliders;
  readonly clips: readonly SliderClip[];
}

/**
 * @param units  m × 4, of each bone's columns: numbers are rounded to multiples of them, which may be coarser where sixteen
 *               bits do not reach; absent: sixteen bits for the largest of each column
 */
export function encodeSliders(
  sliders: Sliders,
  clips: readonly SliderClip[] = [],
  units?: Float32Array,
): GltfExtension {
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
      ...packedMaps(sliders, units),
      ...(clips.length > 0 && {
        clipTimes: Float32Array.from(clips.flatMap(({ times }) => [...times])),
        clipValues: Float32Array.from(clips.flatMap((clip) => [...clip.values])),
      }),
    },
  };
}

/** Entries in the order of their places 12 · joint + element: gaps between them, and values in units of their column. */
function packedMaps(sliders: Sliders, units: Float32Array | undefined): Record<string, PayloadArray> {
  const { names, starts, bones, elements, values } = sliders;
  const scales = scalesOf(sliders, units);
  const packed = { starts: new Uint32Array(names.length + 1), gaps: [] as number[], values: [] as number[] };
  for (let s = 0; s < names.length; s++) {
    const entries = Array.from({ length: starts[s + 1] - starts[s] }, (_, k) => starts[s] + k)
      .map((k) => ({ k, place: TRANSFORM_SIZE * bones[k] + elements[k] }))
      .sort((a, b) => a.place - b.place);
    let last = 0;
    for (const { k, place } of entries) {
      for (; place - last > WIDEST_GAP; last += WIDEST_GAP) {
        packed.gaps.push(WIDEST_GAP);
        packed.values.push(0);
      }
      const unit = scales[columnOf(bones[k], elements[k])];
      packed.gaps.push(place - last);
      packed.values.push(unit > 0 ? Math.round(values[k] / unit) : 0);
      last = place;
    }
    packed.starts[s + 1] = packed.gaps.length;
  }
  const isWide = (value: number) => Math.abs(value) > LARGEST_BYTE;
  return {
    starts: packed.starts,
    gaps: Uint8Array.from(packed.gaps),
    scales,
    values: Int8Array.from(packed.values, (value) => (isWide(value) ? WIDE : value)),
    wide: Int16Array.from(packed.values.filter(isWide)),
  };
}

/** Of the columns of all bones up to the last that moves. */
function scalesOf({ bones, elements, values }: Sliders, units: Float32Array | undefined): Float32Array<ArrayBuffer> {
  const count = bones.reduce((most, j) => Math.max(most, j + 1), 0);
  const scales = new Float32Array(COLUMNS * count);
  bones.forEach((j, k) => {
    const at = columnOf(j, elements[k]);
    // In single precision the quotient may round up to one more than there is.
    const least = (Math.abs(values[k]) / LARGEST) * (1 + 1e-6);
    scales[at] = Math.max(scales[at], least, units?.[at] ?? 0);
  });
  return scales;
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
  const numbers = fields.array('values', Int8Array);
  const wide = fields.array('wide', Int16Array);
  const S = names.length;
  if (stored.length !== S + 1 || stored[S] !== gaps.length || numbers.length !== gaps.length) {
    throw new InputError(`${SLIDERS_EXTENSION}: starts, gaps and values do not fit ${S} sliders`);
  }
  const starts = new Uint32Array(S + 1);
  const [bones, elements, values]: [number[], number[], number[]] = [[], [], []];
  let next = 0;
  for (let s = 0; s < S; s++) {
    let place = 0;
    for (let k = stored[s]; k < stored[s + 1]; k++) {
      place += gaps[k];
      if (numbers[k] === 0) continue;
      const element = place % TRANSFORM_SIZE;
      const joint = Math.floor(place / TRANSFORM_SIZE);
      const scale = scales[columnOf(joint, element)];
      const value = numbers[k] === WIDE ? wide[next++] : numbers[k];
      if (scale === undefined || value === undefined) {
        throw new InputError(`${SLIDERS_EXTENSION}: scales or wide values end before entry ${k}`);
      }
      bones.push(boneOf(joint));
      elements.push(element);
      values.push(value * scale);
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

/** Of the units: the three linear columns of a bone's map, and its translation. */
function columnOf(bone: number, element: number): number {
  return COLUMNS * bone + (element % COLUMNS);
}
