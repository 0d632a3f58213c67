/** Joints that follow sliders, from `PELT_sliders`; docs/extensions describes it. */
import type { SliderClip } from '@pelt/model';
import { decodeSliders, type FileSliders, SLIDERS_EXTENSION } from '@pelt/model/internal';
import { type AnimationClip, NumberKeyframeTrack } from 'three';
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { PeltMesh } from '../mesh/pelt-mesh.ts';
import { readExtension } from './extension-arrays.ts';

/** @param joints  m, of the skin */
export async function readSliders(parser: GLTFParser, joints: number): Promise<FileSliders | undefined> {
  const extension = await readExtension(parser, SLIDERS_EXTENSION);
  return extension && decodeSliders(extension, joints, (joint) => joint);
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
