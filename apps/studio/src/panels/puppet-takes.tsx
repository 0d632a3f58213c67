/** What was made before the camera: pairs of poses, and a take with the part of it that is used. */
import { pairDragged } from '../jobs/dragged-poses.ts';
import { motionOf, removePair } from '../jobs/puppet-bench.ts';
import type { SavedPose, Take } from '../store/document.ts';
import { Slider } from './controls.tsx';
import { download } from './download.ts';
import { useStudio } from './studio.ts';

/** Pairs that were made before the camera; the first is the neutral one. */
export function MadePairs() {
  const { bench, document } = useStudio();
  const { made, pairs } = document.puppet.value;
  const remove = async (k: number) => removePair(bench, k, (await import('@pelt/io')).MEDIAPIPE_JOINTS);
  const [file] = bench.library.get(pairs?.id)?.files ?? [];
  return (
    <section class="group" aria-label="Pairs">
      <div class="row dim">
        <h3>Pairs</h3>
        {file && (
          <button type="button" class="quiet" onClick={() => download(file.blob, file.path)}>
            Save pairs
          </button>
        )}
      </div>
      <ul class="runs">
        {made.map(({ name }, k) => (
          <li key={name}>
            <span class="pick plain">{name}</span>
            <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={() => void remove(k)}>
              ×
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Poses that were dragged in Pose, each to be paired with the moment of the motion that the timeline shows. */
export function DraggedPairs() {
  const { bench, document, session, view } = useStudio();
  const poses = document.poses.value;
  if (poses.length === 0) return null;
  const time = view.frame.value / (session.clip.value?.fps ?? 30);
  const pair = (pose: SavedPose) =>
    pairDragged(bench, pose, time).catch(({ message: text }: Error) =>
      bench.store.setSession({ notice: { kind: 'error', text } }),
    );
  return (
    <section aria-label="Dragged poses">
      <h3 class="dim">Poses, to pair with {time.toFixed(2)} s</h3>
      <ul class="runs">
        {poses.map((pose) => (
          <li key={pose.id}>
            <span class="pick plain">{pose.name}</span>
            <button
              type="button"
              class="quiet"
              title="The character takes this pose when the performer is as at this moment; perform again to see it"
              onClick={() => void pair(pose)}
            >
              Add as a pair
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The part of a recording that is used. */
export function TakeTrim({ take }: { readonly take: Take }) {
  const { bench, document } = useStudio();
  const set = (change: Partial<Take>) =>
    bench.store.edit(
      'Trim the take',
      (now) => ({ ...now, puppet: { ...now.puppet, take: { ...take, ...change } } }),
      'puppet trim',
    );
  const save = async () => {
    const file = await motionOf(bench, document.puppet.value);
    if (file) download(file.blob, file.path);
  };
  const used = (take.seconds * (take.to - take.from)) / Math.max(1, take.frames - 1);
  return (
    <section class="group" aria-label="Take">
      <div class="row dim">
        <h3>Take, {used.toFixed(1)} s</h3>
        <button type="button" class="quiet" title="What pelt puppet --motion reads" onClick={() => void save()}>
          Save motion
        </button>
      </div>
      <Slider
        label="First frame"
        value={take.from + 1}
        min={1}
        max={take.frames - 1}
        onChange={(first) => set({ from: Math.min(Math.round(first) - 1, take.to - 1) })}
      />
      <Slider
        label="Last frame"
        value={take.to + 1}
        min={2}
        max={take.frames}
        onChange={(last) => set({ to: Math.max(take.from + 1, Math.min(take.frames, Math.round(last)) - 1) })}
      />
    </section>
  );
}
