/** What the page and the tracker say to each other. */
import type { PerformerFrame } from '../../store/performer.ts';

export type TrackerOrder =
  /** `folder`: address of the tracker's files; `hands`: whether fingers are tracked, too. */
  | { readonly type: 'open'; readonly folder: string; readonly hands: boolean }
  | { readonly type: 'track'; readonly bitmap: ImageBitmap; readonly milliseconds: number };

export type TrackerAnswer =
  | { readonly type: 'opened' }
  | { readonly type: 'tracked'; readonly frame: PerformerFrame }
  | { readonly type: 'failed'; readonly message: string };
