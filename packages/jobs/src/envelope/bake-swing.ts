/**
 * Clips of a skin that swings, as transforms of all bones of its palette. A loop is run until it is periodic, so that it
 * closes; any other clip starts as if its first pose had been held.
 */
import { type Clip, poseAt, TRANSFORM_SIZE } from '@pelt/model';
import { type SwingDeformer, startClip } from '@pelt/skin/dynamics';

export function bakeSwing(deformer: SwingDeformer, clips: readonly Clip[]): Clip[] {
  return clips.map((clip) => {
    const { times } = clip;
    const S = times.length;
    const m = clip.transforms.length / (S * TRANSFORM_SIZE);
    startClip(deformer.player, deformer.state, clip);
    const palettes = Array.from({ length: S }, (_, t) =>
      deformer.palette(poseAt(clip, t, m).transforms, t > 0 ? times[t] - times[t - 1] : 0).slice(),
    );
    const transforms = new Float64Array(S * (palettes[0]?.length ?? 0));
    palettes.forEach((palette, t) => {
      transforms.set(palette, t * palette.length);
    });
    return { ...clip, transforms };
  });
}
