/** What `pelt envelope --suggest` names: motions that would teach most, had they been simulated. */
import type { Clip, Run } from '@pelt/model';
import { type Dynamics, poseAt } from '@pelt/model';
import { type Suggestion, standardMotions, suggestMotions } from '@pelt/skin/dynamics';
import type { LoadedExamples } from './load-examples.ts';

/** @param train  frames that were learnt from */
export function suggestFor(
  { rig, clip, spans, opened }: LoadedExamples,
  train: readonly number[],
  dynamics: Dynamics | undefined,
  run: Run,
): Suggestion[] {
  const m = rig.bones.length;
  const chosen = new Set(train);
  const learnt: Clip[] = [];
  let first = 0;
  for (const count of spans) {
    const frames = Array.from({ length: count }, (_, t) => first + t).filter((t) => chosen.has(t));
    first += count;
    if (frames.length === 0) continue;
    const transforms = Float64Array.from(frames.flatMap((t) => [...poseAt(clip, t, m).transforms]));
    learnt.push({ name: clip.name, times: Float64Array.from(frames, (t) => clip.times[t]), transforms });
  }
  const offered = [...opened.character.clips, ...(dynamics ? standardMotions(rig.bones, dynamics) : [])];
  return suggestMotions({ bones: rig.bones, learnt, offered, ...(dynamics && { dynamics }) }, {}, run);
}
