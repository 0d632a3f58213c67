/** A mesh that is given joints, as the file of a character. */
import { readGltf, writeSkinnedGlb } from '@pelt/io';
import type { Clip, Rig } from '@pelt/model';
import { AnimationFile } from './animation-file.ts';
import type { OpenedCharacter } from './open-character.ts';

/** @param path  of the file that the joints come from, for messages */
export async function dressMesh(
  rig: Rig,
  clips: readonly Clip[],
  path: string,
  warn: (message: string) => void,
): Promise<OpenedCharacter> {
  const { bytes } = await writeSkinnedGlb({ rig, clips }, { onWarning: warn });
  const asset = await readGltf(bytes, { name: path });
  const file = new AnimationFile(path, bytes, undefined, asset);
  return { path, bytes: bytes.length, character: { ...file.character(), name: rig.name }, asset, file };
}
