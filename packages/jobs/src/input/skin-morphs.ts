import type { Character, CharacterClip, Clip } from '@pelt/model';
import { TRANSFORM_SIZE } from '@pelt/model';

/**
 * A new clip of a character with the morph targets that follow from its poses, where its skin has such; others rest. They
 * are written as curves, so that any player shows them.
 */
export async function withSkinMorphs(character: Character, clip: Clip): Promise<CharacterClip> {
  if (character.skin.kind !== 'eigenskin') return clip;
  const { playerOf } = await import('@pelt/skin/play/runtime');
  const player = playerOf(character);
  const [size, R] = [character.joints.length * TRANSFORM_SIZE, character.morphs.length];
  const morphWeights = new Float32Array(clip.times.length * R);
  clip.times.forEach((_, t) => {
    player.morphsAt(clip.transforms.subarray(t * size, (t + 1) * size), morphWeights.subarray(t * R, (t + 1) * R));
  });
  return { ...clip, morphWeights };
}
