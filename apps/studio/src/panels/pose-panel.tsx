import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { learnDragged } from '../jobs/dragged-poses.ts';
import { movePoser, preparePoser } from '../jobs/pose-bench.ts';
import { handlePath, handlePathFile, handlesAt } from '../jobs/pose-clip.ts';
import { type EditedClip, keyed } from '../store/clips.ts';
import { type SavedPose, withClip } from '../store/document.ts';
import type { StoredFile } from '../store/library.ts';
import type { PoseGuest } from '../viewport/pose-guest.ts';
import { download } from './download.ts';
import { editClip, useKeying } from './keying.ts';
import { useOnionSkins } from './onion-skins.ts';
import { FirstStep } from './run-card.tsx';
import { useStudio } from './studio.ts';
import { chooseFiles } from './take-files.ts';

/** Pull the skin, pin points, save poses, key them, and take the clip along. */
export function PosePanel() {
  const studio = useStudio();
  const { bench, document, session } = studio;
  const { library } = bench;
  const base = studio.character.value;
  const poser = document.poser.value;
  /** The run that could not be prepared, or was stopped: it is not tried again by itself. */
  const failed = useSignal('');
  const prepared = useSignal<{ readonly run: string; readonly file: StoredFile } | undefined>(undefined);
  const task = session.task.value;
  const moved = poser?.onto !== undefined && poser.run === base?.id ? poser : undefined;
  const own = prepared.value?.run === base?.id ? prepared.value?.file : library.get(base?.id)?.poser;
  const [file] = moved ? (library.get(moved.id)?.files ?? []) : [own];
  const prepare = async () => {
    if (!base) return;
    const made = await preparePoser(bench, base);
    prepared.value = made && { run: base.id, file: made };
    failed.value = made ? '' : base.id;
  };
  const poses = document.poses.value;
  const learn = async () => {
    const made = base && (await learnDragged(bench, base, poses));
    if (base && made) prepared.value = { run: base.id, file: made };
  };
  const waits = base !== undefined && !file && !task && failed.value !== base.id;
  useEffect(() => {
    if (waits) void prepare();
  }, [waits]);
  // What was begun by itself ends by itself when another mode is opened.
  useEffect(
    () => () => {
      if (bench.store.state.session.task?.command === 'pose') bench.cancel();
    },
    [bench],
  );
  return (
    <>
      <div class="heading">
        <h2>Pose</h2>
        <span class="dim small">{base ? base.title : ''}</span>
      </div>
      {!base && <FirstStep command="fit" verb="Fit bones now" text="The animation shows how the skin can move." />}
      {base && !file && (
        <p class="dim">
          Learns from the frames how the skin moves, so that any point of it can be pulled and the rest follows.
        </p>
      )}
      {base && task && (
        <button type="button" class="button wide" onClick={() => bench.cancel()}>
          Cancel · {task.stage}
        </button>
      )}
      {base && !task && !file && (
        <button type="button" class="button primary wide" onClick={() => void prepare()}>
          Prepare for posing
        </button>
      )}
      {file && <Hands key={`${moved?.id ?? base?.id} ${file.blob.size}`} file={file} framed={moved !== undefined} />}
      {base && file && !task && !moved && poses.length > 0 && (
        <button
          type="button"
          class="button wide"
          title="Saved poses become examples, as sculpts are: what is pulled then goes where they went"
          onClick={() => void learn()}
        >
          Add {poses.length === 1 ? 'the pose' : `${poses.length} poses`} as{' '}
          {poses.length === 1 ? 'an example' : 'examples'}
        </button>
      )}
      {base && file && !task && (
        <button
          type="button"
          class="button wide"
          title="A rigged character in about the same rest pose: its skin can then be pulled as this one's can"
          onClick={() => chooseFiles(([other]) => void movePoser(bench, base, other))}
        >
          Move onto another character …
        </button>
      )}
      {moved && <p class="dim small">The pose space is moved onto {moved.onto}.</p>}
    </>
  );
}

/** What can be done while a hand is on the model. */
function Hands({ file, framed }: { readonly file: StoredFile; readonly framed: boolean }) {
  const studio = useStudio();
  const { bench, document, view, viewport, clip } = studio;
  const { store, library } = bench;
  const guest = useRef<PoseGuest | undefined>(undefined);
  const open = useSignal(false);
  const pins = useSignal(0);
  const held = useSignal(0);
  const shown = viewport.value;
  useEffect(() => {
    let closed = false;
    const follow = () => {
      pins.value = guest.current?.pins ?? 0;
      held.value = guest.current?.handles.length ?? 0;
    };
    const start = async () => {
      if (!shown) return;
      const { PoseGuest } = await import('../viewport/pose-guest.ts');
      const onError = (error: Error) => store.setSession({ notice: { kind: 'error', text: error.message } });
      const onStep = (label: string) => {
        follow();
        if (guest.current) store.note(label, guest.current);
      };
      const made = await PoseGuest.open(shown, await file.blob.arrayBuffer(), framed, { onStep, onError });
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
  }, [file, shown, library, store, open, pins, held]);

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
    const pose = held.value > 0 ? savePose() : undefined;
    if (!pose) return;
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
        disabled={held.value === 0}
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
