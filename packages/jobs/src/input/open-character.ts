/** The one way in which commands open a character and write it again. */
import { type GltfAsset, type GltfChanges, saveCharacter, unkeptOf } from '@pelt/io';
import { type Character, type CharacterSkin, InputError, UnsupportedError } from '@pelt/model';
import { type GltfFile, gltfFile, type Reader } from './load-sequence.ts';
import { namedMesh } from './names.ts';
import { isGltf, sourceFile } from './source-files.ts';

export interface OpenedCharacter {
  readonly path: string;
  readonly bytes: number;
  readonly character: Character;
  readonly asset: GltfAsset;
  /** As glTF, where it was an FBX. */
  readonly file: GltfFile;
}

export interface OpenCharacterOptions {
  /** Frames a second of its clips; absent: their own keys. */
  readonly fps?: number;
  /** Whether parts that are not skinned will do; each of them is then a joint. */
  readonly unskinned?: boolean;
}

export async function openCharacter(
  path: string,
  reader: Reader,
  { fps, unskinned = true }: OpenCharacterOptions = {},
): Promise<OpenedCharacter> {
  const file = sourceFile(reader.files, path);
  if (!isGltf(file)) throw new InputError(`'${path}' is not a glTF file; a character is a .glb, .gltf or .fbx`);
  const stored = await gltfFile(file, reader);
  const { asset } = stored;
  if (!asset.skinned && !unskinned) throw new InputError(`'${path}' has no skin; make one with pelt fit`);
  const read = stored.character({ fps });
  const { name } = namedMesh(asset.mesh);
  return { path, bytes: file.bytes, character: { ...read, name }, asset, file: stored };
}

/** Curves this far from the poses that they stand for are worth a warning. */
const VISIBLE = 1e-4;
/** The same of a skin in two layers: virtual joints stretch a little, and are blended again by whoever knows them. */
const VISIBLE_IN_LAYERS = 1e-3;

/** Writes a character with other clips or extensions, and everything else as it was. */
export async function encodeCharacter(
  { file, asset, path, character }: OpenedCharacter,
  changes: GltfChanges,
  warn: (message: string) => void,
): Promise<Uint8Array> {
  const { bytes, lost } = await saveCharacter(file, asset, changes);
  if (lost > (character.skin.kind === 'two-layer' ? VISIBLE_IN_LAYERS : VISIBLE)) {
    warn(`'${path}': its nodes cannot show all of the motion, which is off by up to ${(100 * lost).toPrecision(2)} %`);
  }
  return bytes;
}

/** Names what a file with other joints does not have of the one that it was made of. */
export function warnOfUnkept(
  { file, path }: { readonly file: GltfFile; readonly path: string },
  warn: (message: string) => void,
): void {
  const unkept = unkeptOf(file.bytes);
  if (unkept.length > 0) warn(`'${path}': other joints make a new file, without ${unkept.join(', ')}`);
}

const SKIN_NAMES: Readonly<Record<CharacterSkin['kind'], string>> = {
  linear: 'a linear skin',
  'dual-quaternion': 'a dual quaternion skin',
  'two-layer': 'a skin in two layers',
  envelope: 'a learnt skin',
  eigenskin: 'a linear skin with EigenSkin',
};

export function skinName({ skin }: Character): string {
  return SKIN_NAMES[skin.kind];
}

/**
 * Refuses a character whose skin a command cannot work on.
 *
 * @param purpose  what the command does: `pelt reduce takes weights from`
 * @param cure     what to give or to do instead
 */
export function requireSkin(
  { path, character }: Pick<OpenedCharacter, 'path' | 'character'>,
  kinds: readonly CharacterSkin['kind'][],
  purpose: string,
  cure: string,
): void {
  if (kinds.includes(character.skin.kind)) return;
  throw new UnsupportedError(`'${path}' has ${skinName(character)}; ${purpose}, so ${cure}`);
}
