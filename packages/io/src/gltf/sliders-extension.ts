/**
 * Bones that follow sliders in a glTF, as `PELT_sliders`: the maps N of every slider in the frames of the joints of the
 * first skin, 8 or 16 bits a number, and clips of slider values. Morph targets of the mesh belong to the first sliders, in
 * their order, and hold what the bones leave.
 */
import type { SliderClip, Sliders } from '@pelt/model';
import {
  decodeSliders,
  encodeSliders,
  type FileSliders,
  type GltfExtension,
  SLIDERS_EXTENSION,
} from '@pelt/model/internal';
import { extensionOf } from './extension-payload.ts';
import type { GltfAsset } from './scene.ts';

export { type FileSliders, SLIDERS_EXTENSION };

/**
 * Sliders as an extension of a GLB whose joints are their bones.
 *
 * @param clips  animations of the sliders, beside those of the joints
 * @param units  m × 4: units to which the numbers in the columns of each bone's maps are rounded, `units` of a fit; absent:
 *               sixteen bits for each
 * @example
 * {@includeCode ../../examples/sliders.ts}
 */
export function slidersExtension(
  sliders: Sliders,
  clips: readonly SliderClip[] = [],
  units?: Float32Array,
): GltfExtension {
  return encodeSliders(sliders, clips, units);
}

/**
 * The sliders of a file over the joints of its skin; undefined where it has none. Throws `InputError` where what it has
 * does not fit its skin.
 * @example
 * {@includeCode ../../examples/sliders.ts}
 */
export function readSliders(asset: Pick<GltfAsset, 'extensions' | 'scene'>): FileSliders | undefined {
  const extension = extensionOf(asset, SLIDERS_EXTENSION);
  if (!extension) return undefined;
  const joints = asset.scene.ranges.find(({ skin }) => skin >= 0);
  return decodeSliders(extension, asset.scene.bones.length, (joint) => joints?.bones[joint]);
}
