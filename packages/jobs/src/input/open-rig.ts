/** The one way in which commands open the rig of a glTF and choose its clip. */
import { type GltfAsset, type GltfRig, readRig } from '@pelt/io';
import { type Clip, InputError } from '@pelt/model';
import { clipIndex } from './clip-index.ts';
import { type GltfFile, gltfFile, type Reader } from './load-sequence.ts';
import { namedMesh, namedRig } from './names.ts';
import { isGltf, sourceFile } from './source-files.ts';

export interface OpenedRig extends GltfRig {
  readonly path: string;
  readonly bytes: number;
  readonly asset: GltfAsset;
  /** As glTF, where it was an FBX. */
  readonly file: GltfFile;
}

export interface OpenRigOptions {
  /** Frames a second of its clips; absent: their own keys. */
  readonly fps?: number;
  /** Whether parts that are not skinned will do; each of them is then a bone. */
  readonly unskinned?: boolean;
  /** What else can be done with a file that has no skin. */
  readonly otherwise?: string;
}

export async function openRig(path: string, reader: Reader, options: OpenRigOptions = {}): Promise<OpenedRig> {
  const { fps, unskinned = false, otherwise = '' } = options;
  const file = sourceFile(reader.files, path);
  if (!isGltf(file)) throw new InputError(`'${path}' is not a glTF file; a rig is a skinned .glb, .gltf or .fbx`);
  const stored = await gltfFile(file, reader);
  const { asset } = stored;
  if (!asset.skinned && !unskinned) {
    throw new InputError(`'${path}' has no skin; make one with pelt fit${otherwise}`);
  }
  const read = readRig(asset, { fps });
  return { ...read, path, bytes: file.bytes, asset, file: stored, rig: namedRig(read.rig, namedMesh(asset.mesh).name) };
}

/**
 * A clip by its name or number; where none is asked for, the first, or the first with so many frames.
 *
 * @param wanted  name, or number from 0
 * @param frames  how many it must have; absent: any
 */
export function chooseClip({ path, clips }: OpenedRig, wanted?: string, frames?: number): Clip {
  if (clips.length === 0) throw new InputError(`'${path}' has no animation`);
  const fits = ({ times }: Clip) => frames === undefined || times.length === frames;
  const clip = wanted === undefined ? clips.find(fits) : clips[clipIndex(clips, wanted)];
  if (clip && fits(clip)) return clip;
  const counts = (clip ? [clip] : clips).map(({ name, times }) => `'${name}' has ${times.length}`).join(', ');
  throw new InputError(`no animation of '${path}' has the ${frames} frames that it must show; ${counts}`);
}
