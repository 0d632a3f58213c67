/**
 * A reduced rig as bytes, and what those bytes play: everything is judged on the file as it is read back, quantised and
 * interpolated as a player would.
 */
import { type GltfAsset, readGltf, writeSkinnedGlb } from '@pelt/io';
import { type SequenceErrors, vertexCount } from '@pelt/model';
import { compressGlb, NO_VERTEX, type RewriteOptions, rewriteGltf } from '@pelt/pack';
import { warnOfUnkept } from '../input/open-character.ts';
import { rewriteCharacter } from '../input/pack-character.ts';
import { errorOfFile } from '../outputs/error-of-file.ts';
import type { SmallerRig } from './reduce-rig.ts';
import type { ReductionSource } from './reduction-source.ts';

export interface EncodedRig {
  readonly bytes: Uint8Array;
  /** Against the truth, over frames of all clips. */
  readonly error: SequenceErrors;
  readonly asset: GltfAsset;
}

export type Encoding = Pick<RewriteOptions, 'compress' | 'maxError'> &
  Partial<Pick<RewriteOptions, 'rounds' | 'transport'>>;

export async function encodeRig(
  source: ReductionSource,
  smaller: SmallerRig,
  encoding: Encoding,
  warn: (message: string) => void,
): Promise<EncodedRig> {
  const { bytes, places, starts } = await writeRig(source, smaller, encoding, warn);
  const asset = await readGltf(bytes, { name: 'the reduced file' });
  return {
    bytes,
    asset,
    error: errorOfFile(
      { asset, places, animations: writtenAnimations(source.asset), starts, periods: smaller.periods },
      source.truth,
    ),
  };
}

export interface WrittenRig {
  /** What the file costs beside the rig's own error, at sampled frames, as a share of the diagonal. */
  readonly error: number;
  readonly bytes: Uint8Array;
  /** Vertex of the file for each of the rig's. */
  readonly places: Uint32Array;
  /** For each clip the second of its animation at which it begins. */
  readonly starts: readonly number[];
}

/** The bytes alone, without measuring them at all frames. */
export async function writeRig(
  source: ReductionSource,
  { edit, model }: SmallerRig,
  { compress, maxError, ...given }: Encoding,
  warn: (message: string) => void,
): Promise<WrittenRig> {
  const options = { maxError, ...given };
  if (!model) {
    const file = await rewriteCharacter(source.file, edit, { ...options, compress }, source.name);
    return { bytes: file.bytes, error: file.error, places: file.places, starts: source.starts };
  }
  warnOfUnkept({ file: source.file, path: source.name }, warn);
  const { bytes, vertexMap } = await writeSkinnedGlb(model, { onWarning: warn });
  const places = new Uint32Array(vertexCount(source.rig.mesh)).fill(NO_VERTEX);
  vertexMap.forEach((i, v) => {
    if (places[i] === NO_VERTEX) places[i] = v;
  });
  const starts = source.clips.map(() => 0);
  if (compress === undefined && maxError === undefined) return { bytes, error: 0, places, starts };
  const small = compress ? await compressGlb(bytes, options) : await rewriteGltf({ bytes }, options);
  const moved = places.map((v) => (v === NO_VERTEX ? v : small.places[v]));
  return { bytes: small.bytes, error: small.error, places: moved, starts };
}

/** For each clip the animation of the file; those that are empty are not written. */
function writtenAnimations({ animations }: GltfAsset): number[] {
  let next = 0;
  return animations.map(({ channels, pointerKeys = 0 }) => {
    const place = channels.length > 0 || pointerKeys > 0 ? next++ : -1;
    return channels.length > 0 ? place : -1;
  });
}
