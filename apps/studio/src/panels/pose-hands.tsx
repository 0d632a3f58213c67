/** What can be done while a hand is on the skin: pulled, pinned, painted, blended, kept and keyed. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { handlePath, handlePathFile, handlesAt } from '../jobs/pose-clip.ts';
import { type EditedClip, keyed } from '../store/clips.ts';
import { type SavedPose, withClip } from '../store/document.ts';
import type { StoredFile } from '../store/library.ts';
import type { PoseGuest } from '../viewport/pose-guest.ts';
import { download } from './download.ts';
import { editClip, useKeying } from './keying.ts';
import { useOnionSkins } from './onion-skins.ts';
import { PoseExamples } from './pose-examples.tsx';
import { PoseRegionTools } from './pose-region-tools.tsx';
import { useStudio } from './studio.ts';

interface HandsProps {
  readonly file: StoredFile;
  /** Whether it is another character than the one that was opened. */
  readonly framed: boolean;
  /** What the first examples are called, where they are files. */
  readonly labels?: readonly string[];
  readonly solving: { readonly ridge?: number; readonly pull?: number };
}

export function PoseHands({ file, framed, labels = [], solving }: HandsProps) {
  const studio = useStudio();
  const { bench, document, view, viewport, clip } = studio;
  const { store, library } = bench;
  const guest = useRef<PoseGuest | undefined>(undefined);
  const open = useSignal(false);
  const pins = useSignal(0);
  const posed = useSignal(false);
  /** Counts what has changed. */
  const changes = useSignal(0);
  const shown = viewport.value;
  useEffect(() => {
    let closed = false;
    const follow = () => {
      pins.value = guest.current?.pins ?? 0;
      posed.value = guest.current?.isPosed ?? false;
    };
    const start = async () => {
      if (!shown) return;
      const { PoseGuest } = await import('../viewport/pose-guest.ts');
      const onError = (error: Error) => store.setSession({ notice: { kind: 'error', text: error.message } });
      const onStep = (label: string) => {
        follow();
        if (guest.current) store.note(label, guest.current);
      };
      const made = await PoseGuest.open(shown, await file.blob.arrayBuffer(), framed, solving, {
        onStep,
        onError,
        onChange: () => {
          changes.value++;
          follow();
        },
      });
      if (closed) return made.dispose();
      guest.current = made;
      await made.ready;
      if (!closed) open.value = true;
    };
    start().catch(({ message: text }: Error) => closed || store.setSession({ notice: { kind: 'error', text } }));
    const keys = new AbortController();
    globalThis.document.addEventListener('keyup', follow, { signal: keys.signal });
    return () => {
      closed = true;
      keys.abort();
      if (guest.current) store.release(guest.current);
      guest.current?.dispose();
      guest.current = undefined;
    };
  }, [file, shown, library, store, open, pins, posed]);

  const poses = document.poses.value;
  const now = clip.value;
  const keys = now.tracks.pose;
  const frame = view.frame.value;
  useEffect(() => {
    if (!guest.current) return;
    const path = handlePath(now, poses, (pose) => library.get(pose)?.points);
    guest.current.clip = keys.length > 1 ? handlesAt(path) : undefined;
  }, [now, keys, poses, library, open.value]);
  useOnionSkins(
    (at) => guest.current?.ghost(library.get(keys.find((key) => key.frame === at)?.value)?.points),
    open.value,
  );
  const savePose = (): SavedPose | undefined => {
    const hand = guest.current;
    if (!hand) return undefined;
    const id = library.newId('pose');
    library.set(id, { files: [], points: hand.points() });
    return { id, name: `Pose ${poses.length + 1}`, handles: hand.handles };
  };
  const key = (pose: string) => editClip(studio, 'Key pose', (one) => keyed(one, 'pose', frame, pose));
  const keyHere = () => {
    const pose = posed.value ? savePose() : undefined;
    if (!pose) return;
    const { frame } = store.state.view;
    store.edit('Key pose', (all) =>
      withClip({ ...all, poses: [...all.poses, pose] }, (one) => keyed(one, 'pose', frame, pose.id)),
    );
  };
  useKeying('pose', keyHere, open.value);
  const exportClip = async () => {
    const path = handlePathFile(now, poses, library);
    const output = file.path.replace(/-poser\.glb$/, '-posed.glb');
    const request = { command: 'pose', inputs: [file.path], output, options: { path: path.path } } as const;
    const written = await bench.make(request, [file, path]);
    if (written?.[0]) download(written[0].blob, written[0].path);
  };
  if (!open.value) return <p class="dim">Opening the character …</p>;
  return (
    <>
      <p class="dim">
        Press on the skin and drag; what is far from there stays. Shift and press pins a point, or lets it go: pins then
        hold the rest.
      </p>
      <button
        type="button"
        class="button primary wide"
        disabled={!posed.value}
        onClick={() => {
          const pose = savePose();
          if (pose) store.edit('Save pose', (all) => ({ ...all, poses: [...all.poses, pose] }));
        }}
      >
        Save pose
      </button>
      <div class="row">
        <button type="button" class="button" onClick={() => guest.current?.reset()}>
          Reset pose
        </button>
        <button type="button" class="button" disabled={pins.value === 0} onClick={() => guest.current?.freePins()}>
          Free {pins.value} {pins.value === 1 ? 'pin' : 'pins'}
        </button>
      </div>
      {poses.length > 0 && (
        <section class="group" aria-label="Poses">
          <h3 class="dim">Poses</h3>
          <ul class="runs">
            {poses.map((pose) => (
              <li key={pose.id}>
                <button type="button" class="pick plain" onClick={() => guest.current?.show(pose.handles)}>
                  {pose.name}
                </button>
                <button type="button" class="quiet" onClick={() => key(pose.id)}>
                  Key at frame {frame + 1}
                </button>
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Remove ${pose.name}`}
                  onClick={() =>
                    store.edit('Remove pose', (all) => ({
                      ...all,
                      poses: all.poses.filter((other) => other.id !== pose.id),
                      clips: all.clips.map((one) => withoutPose(one, pose.id)),
                    }))
                  }
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {guest.current && <PoseExamples guest={guest.current} labels={labels} changes={changes} />}
      {guest.current && <PoseRegionTools guest={guest.current} changes={changes} />}
      {keys.length > 1 && (
        <button
          type="button"
          class="button wide"
          title="The character with the clip of the timeline as a GLB"
          onClick={() => void exportClip()}
        >
          Export clip
        </button>
      )}
    </>
  );
}

/** A clip without the keys of a pose that is gone. */
function withoutPose(clip: EditedClip, pose: string): EditedClip {
  const { tracks } = clip;
  return { ...clip, tracks: { ...tracks, pose: tracks.pose.filter(({ value }) => value !== pose) } };
}
