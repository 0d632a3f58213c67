/** Documents that were kept in the browser, by this studio or an older one. */
import { type EditedClip, FIRST_CLIP, newClip } from './clips.ts';
import { EMPTY_DOCUMENT, type SkinChoices, type StudioDocument } from './document.ts';
import type { Expression } from './face.ts';
import type { Ease } from './keys.ts';

/** A document as it was kept, perhaps by an older studio: what it does not know is at its defaults. */
export function completed(kept: StudioDocument): StudioDocument {
  const { fit, skeleton, reduce, skin, volume, puppet, face } = EMPTY_DOCUMENT;
  return {
    ...EMPTY_DOCUMENT,
    ...kept,
    fit: { ...fit, ...kept.fit },
    skeleton: { ...skeleton, ...kept.skeleton },
    reduce: { ...reduce, ...kept.reduce },
    skin: { ...skin, ...kept.skin, predictor: predictorOf(kept.skin?.predictor ?? skin.predictor) },
    volume: { ...volume, ...kept.volume },
    puppet: { ...puppet, ...kept.puppet },
    face: { ...face, ...kept.face },
    clips: kept.clips?.length ? kept.clips : [clipOfOlder(kept)],
  };
}

/** What projects had before there were clips: keys of poses and of expressions. */
interface Older {
  readonly input?: StudioDocument['input'];
  readonly keys?: readonly { readonly frame: number; readonly pose: string }[];
  readonly face?: {
    readonly keys?: readonly { readonly frame: number; readonly values: Expression; readonly ease: Ease }[];
    readonly frames?: number;
    readonly fps?: number;
  };
}

function clipOfOlder(kept: object): EditedClip {
  const { keys = [], face = {}, input } = kept as Older;
  const { frames = input?.frames ?? FIRST_CLIP.frames, fps = input?.fps ?? FIRST_CLIP.fps } = face;
  const pose = keys.map(({ frame, pose: value }) => ({ frame, value, ease: 'slow' as const }));
  const sliders = (face.keys ?? []).map(({ frame, values: value, ease }) => ({ frame, value, ease }));
  const clip = newClip(FIRST_CLIP.id, FIRST_CLIP.name, { frames, fps });
  return { ...clip, tracks: { ...clip.tracks, pose, sliders } };
}

/** What projects of version 0.1 call `improved` is the same predictor. */
function predictorOf(kept: string): SkinChoices['predictor'] {
  return kept === 'improved' ? 'linear-maps' : (kept as SkinChoices['predictor']);
}
