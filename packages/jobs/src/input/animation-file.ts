/**
 * A glTF (or an FBX or USD file, as one) that a job has opened: its bytes are read once and parsed once, whoever asks for its mesh,
 * its clips, its frames or the rig that moves them, and for how many stages of the job.
 */
import { type FrameSource, fbxToGlb, type GltfAsset, type ResolveFile, readGltf, usdToGlb } from '@pelt/io';
import type { Character, Mesh } from '@pelt/model';
import { besides } from '../files/besides.ts';
import { byteSource } from '../files/byte-source.ts';
import type { Job } from '../job.ts';
import { characterOf, hasOwnSkin, motionOf } from './asset-motion.ts';

type Warn = (message: string) => void;

/** How its animations are sampled. */
export interface Sampling {
  readonly fps?: number | undefined;
  readonly times?: Float64Array | undefined;
}

/**
 * A file that was opened: bytes, mesh, clips, character, frames.
 * @example
 * {@includeCode ../../examples/opened-files.ts}
 */
export class AnimationFile {
  /** Path as it was given. */
  readonly label: string;
  /** As glTF, where it was an FBX or USD file. */
  readonly bytes: Uint8Array;
  /** Finds the files that it names. */
  readonly resolve: ResolveFile | undefined;
  readonly asset: GltfAsset;
  #character: Character | undefined;

  constructor(label: string, bytes: Uint8Array, resolve: ResolveFile | undefined, asset: GltfAsset) {
    this.label = label;
    this.bytes = bytes;
    this.resolve = resolve;
    this.asset = asset;
  }

  get mesh(): Mesh {
    return this.asset.mesh;
  }

  /** Names of its animations; one without a name is called by its number. */
  get clips(): readonly string[] {
    return this.asset.animations.map(({ name }, k) => name || `clip-${k}`);
  }

  /** What it shows: joints, one skin, morph targets, clips. Those of its own keys are made once. */
  character(sampling: Sampling = {}): Character {
    const { fps, times } = sampling;
    if (fps !== undefined || times !== undefined) return characterOf(this.asset, this.label, sampling);
    this.#character ??= characterOf(this.asset, this.label);
    return this.#character;
  }

  /**
   * The frames of one of its animations, played by the skin that is in it, to be read one by one.
   *
   * @param clip  number from 0; absent: the first
   */
  frames(clip?: number, sampling: Sampling = {}): Promise<FrameSource> {
    const read = hasOwnSkin(this.asset) ? this.character(sampling) : undefined;
    return motionOf(this.asset, { clip, ...sampling }, read);
  }
}

/** Reads and parses a file. */
export async function parseAnimationFile(
  path: string,
  format: string,
  files: Job['files'],
  warn: Warn,
): Promise<AnimationFile> {
  const beside = besides(files, path, warn);
  const options = { name: path, onWarning: warn, resolve: beside };
  const converted =
    format === 'fbx'
      ? await fbxToGlb(files.read(path), options)
      : format === 'usd'
        ? await usdToGlb(byteSource(files, path), options)
        : undefined;
  const bytes = converted ?? files.read(path);
  const resolve = converted ? undefined : beside;
  return new AnimationFile(path, bytes, resolve, await readGltf(bytes, { name: path, onWarning: warn, resolve }));
}
