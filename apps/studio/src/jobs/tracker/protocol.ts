/** What the page and the tracker say to each other. */
import type { PerformerFrame } from '../../store/performer.ts';

/** Of MediaPipe Pose. */
export const JOINT_COUNT = 33;

export type TrackerOrder =
  /** `folder`: address of the tracker's files. */
  | { readonly type: 'open'; readonly folder: string }
  | { readonly type: 'track'; readonly bitmap: ImageBitmap; readonly milliseconds: number };

export type TrackerAnswer =
  | { readonly type: 'opened' }
  | { readonly type: 'tracked'; readonly frame: PerformerFrame }
  | { readonly type: 'failed'; readonly message: string };
