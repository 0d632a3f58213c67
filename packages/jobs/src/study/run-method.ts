/** The methods that find bones, each called in the same way. */
import { publishedSsdr } from '@pelt/baselines';
import type { Clip, MeshSequence, Rig, Run, SequenceErrors } from '@pelt/model';
import { decompose } from '@pelt/skin/decompose';
import { extractSkeleton } from '@pelt/skin/skeleton';
import type { JOINTED_METHODS, LOOSE_METHODS } from './table.ts';

export type BoneMethod = (typeof LOOSE_METHODS)[number] | (typeof JOINTED_METHODS)[number];

export interface StudiedFit {
  readonly rig: Rig;
  readonly clip: Clip;
  readonly error: SequenceErrors;
}

export function runMethod(
  method: BoneMethod,
  sequence: MeshSequence,
  { bones, weights }: { readonly bones: number; readonly weights: number },
  run: Run,
): StudiedFit {
  switch (method) {
    case 'published-ssdr':
      return publishedSsdr(sequence, { bones, weights }, run);
    case 'ssdr':
    case 'affine':
    case 'sma':
    case 'lssp':
      return decompose(sequence, { method, bones, weights }, run);
    default:
      return extractSkeleton(sequence, { method, bones, weights }, run);
  }
}

/** Whether bones may stretch and shear, so that one joint of a file cannot hold them. */
export function isAffine(method: BoneMethod): boolean {
  return method === 'affine';
}
