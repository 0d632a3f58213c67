import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { learnDragged } from '../jobs/dragged-poses.ts';
import { movePoser, preparePoser } from '../jobs/pose-bench.ts';
import { handlePath, handlePathFile, handlesAt } from '../jobs/pose-clip.ts';
import type { StoredFile } from '../store/library.ts';
import type { PoseGuest } from '../viewport/pose-guest.ts';
import { download } from './download.ts';
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
  const { bench, document, view, viewport, handUndo, handRedo } = studio;
  const { store, library } = bench;
  const guest = useRef<PoseGuest | undefined>(undefined);
  const open = useSignal(false);
  const pins = useSignal(0);
  const held = useSignal(0);
  const shown = viewport.value;
  useEffect(() => {
    let closed = false;
    const follow = () => {
      handUndo.value = guest.current?.canUndo ?? false;
      handRedo.value = guest.current?.canRedo ?? false;
      pins.value = guest.current?.pins ?? 0;
      held.value = guest.current?.handles.length ?? 0;
    };
    const start = async () => {
      if (!shown) return;
      const { PoseGuest } = await import('../viewport/pose-guest.ts');
      const onError = (error: Error) => store.setSession({ notice: { kind: 'error', text: error.message } });
      const made = await PoseGuest.open(shown, await file.blob.arrayBuffer(), framed, { onStep: follow, onError });
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
      guest.current?.dispose();
      guest.current = undefined;
      handUndo.value = handRedo.value = false;
    };
  }, [file, shown, library, store, open, pins, held, handUndo, handRedo]);

  const [poses, keys] = [document.poses.value, document.keys.value];
  const frame = view.frame.value;
  useEffect(() => {
    if (!guest.current) return;
    const path = handlePath(keys, poses, (pose) => library.get(pose)?.points, 1);
    guest.current.clip = keys.length > 1 ? handlesAt(path) : undefined;
  }, [keys, poses, library, open.value]);
  const savePose = () => {
    const hand = guest.current;
    if (!hand) return;
    const pose = library.newId('pose');
    library.set(pose, { files: [], points: hand.points() });
    const name = `Pose ${poses.length + 1}`;
    store.edit('Save pose', (now) => ({ ...now, poses: [...now.poses, { id: pose, name, handles: hand.handles }] }));
  };
  const key = (pose: string) =>
    store.edit('Key pose', (now) => ({
      ...now,
      keys: [...now.keys.filter((other) => other.frame !== frame), { frame, pose }].toSorted(
        (a, b) => a.frame - b.frame,
      ),
    }));
  const exportClip = async () => {
    const path = handlePathFile(keys, poses, library, document.input.value?.fps ?? 30);
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
      <button type="button" class="button primary wide" disabled={held.value === 0} onClick={savePose}>
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
                    store.edit('Remove pose', (now) => ({
                      ...now,
                      poses: now.poses.filter((other) => other.id !== pose.id),
                      keys: now.keys.filter((other) => other.pose !== pose.id),
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
      {keys.length > 0 && (
        <section class="group" aria-label="Keys">
          <h3 class="dim">Keys</h3>
          <ul class="runs">
            {keys.map(({ frame: at, pose }) => (
              <li key={at}>
                <button type="button" class="pick plain" onClick={() => store.setView({ frame: at, playing: false })}>
                  Frame {at + 1}: {poses.find((one) => one.id === pose)?.name}
                </button>
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Remove the key at frame ${at + 1}`}
                  onClick={() =>
                    store.edit('Remove key', (now) => ({
                      ...now,
                      keys: now.keys.filter((other) => other.frame !== at),
                    }))
                  }
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
          <button
            type="button"
            class="button wide"
            disabled={keys.length < 2}
            title={keys.length < 2 ? 'A clip needs two keys' : 'The character with the clip as a GLB'}
            onClick={() => void exportClip()}
          >
            Export clip
          </button>
        </section>
      )}
    </>
  );
}
