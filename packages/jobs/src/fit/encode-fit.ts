/** A fitted rig as the bytes of a file, compressed if that is wanted, and its error as the file has it. */
import { readGltf, type SkinnedGlbOptions, type SkinnedModel, writeSkinnedGlb } from '@pelt/io';
import { frameAt, type MeshSequence, type SequenceErrors } from '@pelt/model';
import { compressGlb, NO_VERTEX, type RewrittenGltf, UNSEEN_ERROR } from '@pelt/pack';
import { atOwnStarts, type LoadedClips } from '../input/load-clips.ts';
import type { Job } from '../job.ts';
import { errorOfFile } from '../outputs/error-of-file.ts';
import type { FrameTruth } from '../outputs/frame-truth.ts';
import { packedForm, sayIfSmaller } from './smaller-forms.ts';

export interface EncodedFit {
  readonly bytes: Uint8Array;
  /** Present where the file is not the fit to the bit. */
  readonly error?: SequenceErrors;
}

/** Share of the fit's own error that packing may add, squared with it: one per cent of the sum. */
const FREE_SHARE = 0.14;

/** @param own  error of the fit */
export async function encodeFit(
  model: SkinnedModel,
  own: SequenceErrors,
  loaded: LoadedClips,
  { compress, ...options }: Partial<SkinnedGlbOptions> & { readonly compress?: 'meshopt' | undefined },
  job: Job,
): Promise<EncodedFit> {
  const { starts } = loaded;
  const timed = { ...model, clips: atOwnStarts(model.clips, starts) };
  const { bytes, vertexMap } = await writeSkinnedGlb(timed, { ...options, onWarning: job.warn });
  const share = own.rmsePercent / 100;
  const maxError = Math.max(UNSEEN_ERROR, FREE_SHARE * share);
  // Other forms are tried against a packed fit alone: packing takes longer than all other writing.
  if (!compress) return { bytes };
  const small = await compressGlb(bytes, { maxError });
  sayIfSmaller(await packedForm(loaded, job), { bytes: small.bytes.length, error: Math.max(share, UNSEEN_ERROR) }, job);
  return { bytes: small.bytes, error: await errorOfPacked(small, vertexMap, loaded) };
}

/** @param vertexMap  vertex of the mesh of each vertex that was packed */
export async function errorOfPacked(
  { bytes, places: packed }: Pick<RewrittenGltf, 'bytes' | 'places'>,
  vertexMap: Uint32Array,
  loaded: LoadedClips,
): Promise<SequenceErrors> {
  const { sequence, clips, starts } = loaded;
  const places = new Uint32Array(sequence.rest.positions.length / 3).fill(NO_VERTEX);
  vertexMap.forEach((i, v) => {
    if (places[i] === NO_VERTEX) places[i] = packed[v];
  });
  const asset = await readGltf(bytes, { name: 'the fitted file' });
  const played = { asset, places, animations: [...clips.keys()], starts, periods: clips.map(() => 0) };
  return errorOfFile(played, truthOf(sequence, loaded));
}

/** The frames of a sequence, in clips. */
function truthOf(sequence: MeshSequence, { clips }: LoadedClips): FrameTruth {
  const firsts = clips.map((_, c) => clips.slice(0, c).reduce((sum, { times }) => sum + times.length, 0));
  return {
    rest: sequence.rest,
    times: clips.map(({ times }) => times),
    read: (c, t, out) => out.set(frameAt(sequence, firsts[c] + t)),
  };
}
