/** Joints of a captured skeleton, clicked in the body one after the other. */
import type { BodyJoint } from '@pelt/model';
import { askedJoints, FEWEST_LANDMARKS, type Landmarks, spokenJoint } from '../store/landmarks.ts';
import type { StoredFile } from '../store/library.ts';

/** A capture whose skeleton is being fitted. */
export interface OpenCapture {
  readonly file: StoredFile;
  readonly found: ReadonlySet<BodyJoint>;
  readonly landmarks: Landmarks;
  readonly skipped: ReadonlySet<BodyJoint>;
}

/** The joint that the next click places; undefined when all are placed or skipped. */
export function nextJoint({ found, landmarks, skipped }: OpenCapture, mirrored: boolean): BodyJoint | undefined {
  return askedJoints(found, mirrored).find((joint) => !landmarks[joint] && !skipped.has(joint));
}

interface CaptureLandmarksProps {
  readonly capture: OpenCapture;
  readonly mirrored: boolean;
  readonly onChange: (capture: OpenCapture | undefined) => void;
  readonly onFit: () => void;
}

export function CaptureLandmarks({ capture, mirrored, onChange, onFit }: CaptureLandmarksProps) {
  const { file, found, landmarks, skipped } = capture;
  const next = nextJoint(capture, mirrored);
  const asked = askedJoints(found, mirrored);
  const placed = Object.keys(landmarks).length;
  return (
    <>
      <p class="dim" aria-live="polite">
        {next ? `Click ${spokenJoint(next, mirrored)} of the body.` : 'All joints are placed.'} The skeleton of{' '}
        {file.path} is fitted to what you click.
      </p>
      <p class="dim small">
        {asked.filter((joint) => landmarks[joint]).length} of {asked.length} joints
        {placed < FEWEST_LANDMARKS && `; ${FEWEST_LANDMARKS} are the fewest`}
      </p>
      <button type="button" class="button primary wide" disabled={placed < FEWEST_LANDMARKS} onClick={onFit}>
        Fit the skeleton
      </button>
      <div class="row">
        <button
          type="button"
          class="button"
          disabled={!next}
          onClick={() => next && onChange({ ...capture, skipped: new Set([...skipped, next]) })}
        >
          Skip it
        </button>
        <button
          type="button"
          class="button"
          disabled={placed === 0 && skipped.size === 0}
          onClick={() => onChange({ ...capture, landmarks: {}, skipped: new Set() })}
        >
          Start again
        </button>
        <button type="button" class="button" onClick={() => onChange(undefined)}>
          Cancel
        </button>
      </div>
    </>
  );
}
