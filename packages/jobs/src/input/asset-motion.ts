/** What a glTF that was read shows: its character, and its animations played by the skin that is in the file. */
import { type BakeOptions, type FrameSource, type GltfAsset, GltfMotion, readCharacter } from '@pelt/io';
import { type Character, InputError } from '@pelt/model';

/** The character of a file that was read; what is wrong with it is said with its name. */
export function characterOf(asset: GltfAsset, path: string, options?: Parameters<typeof readCharacter>[1]): Character {
  try {
    return readCharacter(asset, options);
  } catch (error) {
    if (error instanceof InputError && !error.message.includes(path)) {
      throw new InputError(`'${path}': ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** Whether a file has a skin beyond linear blending with morph targets. */
export function hasOwnSkin({ extensions }: GltfAsset): boolean {
  return extensions.some(({ name }) => /^PELT_(?:envelope|two_layer|eigenskin|dual_quaternion)$/.test(name));
}

/**
 * An animation of a file as plain positions, by the skin that is in it. Linear blending is played by io, which keeps no
 * pose in memory; every other skin by its player.
 *
 * @param options    which animation, by its number
 * @param read       the character of the file, where it was read with the same options
 */
export async function motionOf(
  asset: GltfAsset,
  options: Partial<Omit<BakeOptions, 'clip'>> & { readonly clip?: number | undefined },
  read?: Character,
): Promise<FrameSource> {
  const plain = new GltfMotion(asset, options);
  if (asset.animations.length === 0 || !hasOwnSkin(asset)) return plain;
  const { clip = 0, fps, times } = options;
  const character = read ?? characterOf(asset, asset.name, { fps, times });
  // Loaded only now: few files need it.
  const { CharacterMotion } = await import('./character-motion.ts');
  return new CharacterMotion(character, { ...character.clips[clip], name: plain.name }, plain.label, plain.start);
}
