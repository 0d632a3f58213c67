/** Joints that follow sliders, from `PELT_sliders`; docs/extensions describes it. */
import {
  InputError,
  type SliderClip,
  type Sliders,
  TRANSFORM_SIZE,
  validateSliderClip,
  validateSliders,
} from '@pelt/model';
import { type AnimationClip, NumberKeyframeTrack } from 'three';
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { PeltMesh } from '../mesh/pelt-mesh.ts';
import { type ExtensionArrays, isObject, readExtension } from './extension-arrays.ts';

export const SLIDERS = 'PELT_sliders';

export interface FileSliders {
  readonly sliders: Sliders;
  readonly clips: readonly SliderClip[];
}

/** @param joints  m, of the skin */
export async function readSliders(parser: GLTFParser, joints: number): Promise<FileSliders | undefined> {
  const extension = await readExtension(parser, SLIDERS);
  if (!extension) return undefined;
  const names = extension.json.sliders;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new InputError(`${SLIDERS}: sliders must be a list of names`);
  }
  const sliders = mapsOf(extension, names);
  validateSliders(sliders, joints);
  return { sliders, clips: clipsOf(extension, names.length) };
}

/** Entries are in the order of their places 12 · joint + element, with the gaps between them. */
function mapsOf({ array }: ExtensionArrays, names: readonly string[]): Sliders {
  const S = names.length;
  const starts = array('starts', Uint32Array);
  const gaps = array('gaps', Uint8Array);
  const scales = array('scales', Float32Array);
  const numbers = array('values', Int16Array);
  if (scales.length !== 2 * S || numbers.length !== gaps.length) {
    throw new InputError(`${SLIDERS}: gaps, values and scales do not fit ${S} sliders`);
  }
  const bones = new Uint16Array(gaps.length);
  const elements = new Uint8Array(gaps.length);
  const values = new Float32Array(gaps.length);
  for (let s = 0; s < S; s++) {
    let place = 0;
    for (let k = starts[s]; k < Math.min(starts[s + 1], gaps.length); k++) {
      place += gaps[k];
      bones[k] = Math.floor(place / TRANSFORM_SIZE);
      elements[k] = place % TRANSFORM_SIZE;
      values[k] = numbers[k] * scales[2 * s + (elements[k] % 4 === 3 ? 1 : 0)];
    }
  }
  return { names, starts, bones, elements, values };
}

function clipsOf({ json, array }: ExtensionArrays, S: number): SliderClip[] {
  if (!Array.isArray(json.clips)) return [];
  const times = array('clipTimes', Float32Array);
  const values = array('clipValues', Float32Array);
  let first = 0;
  return json.clips.map((entry: unknown) => {
    if (!isObject(entry) || typeof entry.name !== 'string' || typeof entry.frames !== 'number') {
      throw new InputError(`${SLIDERS}: a clip needs a name and a number of frames`);
    }
    const end = first + entry.frames;
    if (!(end <= times.length)) throw new InputError(`${SLIDERS}: clip '${entry.name}' has no ${entry.frames} frames`);
    const own = { times: Float64Array.from(times.subarray(first, end)), values: values.slice(S * first, S * end) };
    const clip = { name: entry.name, ...own };
    first = end;
    validateSliderClip(clip, S);
    return clip;
  });
}

/**
 * Lets animations move the sliders in place of the joints, whose curves are for players without the extension.
 *
 * @param mesh  the first of the meshes that share the values
 */
export function useSliderTracks(
  animations: readonly AnimationClip[],
  clips: readonly SliderClip[],
  mesh: PeltMesh,
): void {
  const baked = new Set(mesh.skeleton.joints.flatMap(({ name, parent }) => [name, parent?.name ?? name]));
  for (const { name, times, values } of clips) {
    const animation = animations.find((candidate) => candidate.name === name);
    if (!animation) continue;
    const others = animation.tracks.filter((track) => {
      const node = track.name.slice(0, track.name.lastIndexOf('.'));
      return !baked.has(node) && !track.name.endsWith('.morphTargetInfluences');
    });
    const track = new NumberKeyframeTrack(`${mesh.uuid}.morphTargetInfluences`, [...times], [...values]);
    animation.tracks = [...others, track];
  }
}
