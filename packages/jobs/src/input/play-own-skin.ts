import type { GltfAsset } from '@pelt/io';
import { type CharacterClip, TRANSFORM_SIZE } from '@pelt/model';
import { characterOf, hasOwnSkin } from './asset-motion.ts';

/**
 * S × n × 3 positions of a clip by the skin that a glTF has beyond linear blending; undefined where it has none.
 *
 * @param clip  over all bones of the asset, of which a skin may compute some by itself
 */
export async function playOwnSkin(asset: GltfAsset, clip: CharacterClip): Promise<Float32Array | undefined> {
  if (!hasOwnSkin(asset)) return undefined;
  const character = characterOf(asset, asset.name);
  const { ClipPlayback } = await import('./character-motion.ts');
  const { playerOf } = await import('@pelt/skin/play/runtime');
  const player = playerOf(character);
  const [S, size] = [clip.times.length, character.mesh.positions.length];
  const [all, own] = [asset.scene.bones.length * TRANSFORM_SIZE, character.joints.length * TRANSFORM_SIZE];
  const transforms = new Float64Array(S * own);
  for (let t = 0; t < S; t++) transforms.set(clip.transforms.subarray((t + 1) * all - own, (t + 1) * all), t * own);
  const frames = new Float32Array(S * size);
  const playback = new ClipPlayback(player, { ...clip, transforms });
  for (let t = 0; t < S; t++) playback.readFrame(t, frames.subarray(t * size, (t + 1) * size));
  return frames;
}
