/** A recorded performance as a file that `pelt puppet --motion` reads: world landmarks of MediaPipe Pose, as JSON. */
import type { MadePair, Take } from '../../store/document.ts';
import type { StoredFile } from '../../store/library.ts';
import type { PerformerFrame } from '../../store/performer.ts';

/** Digits after the point: a tenth of a millimetre, and a thousandth of confidence. */
const [PLACE_DIGITS, SURE_DIGITS] = [4, 3];

interface TakenFrame {
  readonly timestampMs: number;
  readonly worldLandmarks: readonly object[];
  readonly leftHandWorldLandmarks?: readonly object[];
  readonly rightHandWorldLandmarks?: readonly object[];
}

/** Landmarks of the body; those of each hand behind, of which the wrist is the body's. */
const [BODY, HAND] = [33, 20];
const WRISTS = { left: 15, right: 16 } as const;

/** In the axes of the tracker: y down, z away from the camera. Frames without a body are left out by the reader. */
export function takenFrame({ time, joints, confidence, picture }: PerformerFrame): TakenFrame {
  const places = picture ? Array.from({ length: BODY }, (_, j) => j) : [];
  const [place, sure] = [rounded(PLACE_DIGITS), rounded(SURE_DIGITS)];
  const point = (j: number) => ({
    x: place(joints[3 * j]),
    y: place(-joints[3 * j + 1]),
    z: place(-joints[3 * j + 2]),
  });
  const handOf = (side: 'left' | 'right') => {
    const from = BODY + (side === 'left' ? 0 : HAND);
    if (!(confidence[from] > 0)) return undefined;
    return [WRISTS[side], ...Array.from({ length: HAND }, (_, k) => from + k)].map(point);
  };
  const [left, right] = [handOf('left'), handOf('right')];
  return {
    timestampMs: Math.round(1000 * time),
    worldLandmarks: places.map((j) => ({ ...point(j), visibility: sure(confidence[j]) })),
    ...(left && { leftHandWorldLandmarks: left }),
    ...(right && { rightHandWorldLandmarks: right }),
  };
}

function rounded(digits: number): (value: number) => number {
  return (value) => Number(value.toFixed(digits));
}

export function takeFile(name: string, frames: readonly TakenFrame[]): StoredFile {
  return { path: name, blob: new Blob([`${JSON.stringify({ frames })}\n`], { type: 'application/json' }) };
}

/** The part of a recording that is used, as a file of its own. */
export async function trimmedTake({ name, from, to }: Take, { blob }: StoredFile): Promise<StoredFile> {
  const { frames } = JSON.parse(await blob.text()) as { frames: readonly TakenFrame[] };
  return takeFile(name, frames.slice(from, to + 1));
}

/** Pairs that were made before the camera, as the file that `pelt puppet --pairs` reads. */
export async function pairsFile(
  name: string,
  made: readonly MadePair[],
  joints: readonly string[],
): Promise<StoredFile> {
  const { writePairs } = await import('@pelt/io');
  const bytes = writePairs({
    name: 'made in the studio',
    neutral: made[0].name,
    motions: {},
    pairs: made.map((pair) => ({
      name: pair.name,
      performer: {
        joints: Object.fromEntries(
          joints.map((joint, j) => [joint, pair.performer.slice(3 * j, 3 * j + 3) as [number, number, number]]),
        ),
      },
      character: { transforms: pair.character },
    })),
  });
  return { path: name, blob: new Blob([bytes], { type: 'application/json' }) };
}
