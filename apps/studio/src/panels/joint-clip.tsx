/** Joints over time: the motion below, keys on the timeline, limbs that are held, and what is taken out. */
import type { ReadonlySignal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../jobs/ask.ts';
import type { JointClip } from '../jobs/joint-clips.ts';
import { exportMotion, MOTION_EXPORTS, type MotionExport, type MotionSkin } from '../jobs/motion-export.ts';
import { type ClipBase, type EditedClip, keyed, keyFrames } from '../store/clips.ts';
import { withClip } from '../store/document.ts';
import type { StoredFile } from '../store/library.ts';
import type { JointGuest } from '../viewport/joint-guest.ts';
import { Choice } from './controls.tsx';
import { download } from './download.ts';
import { editClip, useKeying } from './keying.ts';
import { useOnionSkins } from './onion-skins.ts';
import { useStudio } from './studio.ts';

interface JointClipProps {
  readonly guest: JointGuest;
  readonly turns: ReadonlySignal<number>;
  /** The character, whose own clips can be played below. */
  readonly file: StoredFile;
  readonly skin: MotionSkin;
}

/** Of a clip that keeps a placed skeleton still: no motion to animate over. */
const STILL = 'still';

export function JointClipControls({ guest, file, skin }: JointClipProps) {
  const studio = useStudio();
  const { bench, document, clip, session } = studio;
  const { store, library } = bench;
  const now = clip.value;
  const own = useSignal<readonly JointClip[]>([]);
  const other = useSignal<JointClip | undefined>(undefined);
  const kind = useSignal<MotionExport>('glb');
  const frame = studio.view.frame.value;
  const { base, fps } = now;
  const performance = document.performance.value;
  const fail = ({ message: text }: Error) => store.setSession({ notice: { kind: 'error', text } });
  useEffect(() => {
    let closed = false;
    ask({ type: 'clips', file, fps }).then((clips) => {
      if (closed) return;
      own.value = clips.filter(({ name, frames }) => name !== STILL && frames > 1);
      const [first] = own.value;
      // A rig plays what it came with, as long as nobody has made anything of it.
      if (first && isUntouched(store.state.document.clips)) {
        store.amend(withClip(store.state.document, (one) => overClip(one, first, { kind: 'own', name: first.name })));
      }
    }, fail);
    return () => {
      closed = true;
    };
  }, [file, fps]);
  // A hand that turns joints turns those of one frame.
  useEffect(() => store.setView({ playing: false }), [store]);
  const fileId = base?.kind === 'file' ? base.id : undefined;
  useEffect(() => {
    let closed = false;
    const [given] = library.get(fileId)?.files ?? [];
    other.value = undefined;
    if (given) {
      ask({ type: 'clips', file: given, fps }).then(([first]) => {
        if (!closed) other.value = first;
      }, fail);
    }
    return () => {
      closed = true;
    };
  }, [fileId, fps]);
  const below = base?.kind === 'own' ? own.value.find(({ name }) => name === base.name) : other.value;
  useEffect(() => guest.setClip(now, below), [guest, now, below]);
  const keyHere = () => {
    const { pose, reaches } = guest;
    if (!pose) return;
    const { frame } = store.state.view;
    guest.settle();
    editClip(studio, 'Key the joints', (one) => {
      const turned = keyed(one, 'joints', frame, pose);
      const holds = reaches.size > 0 || one.tracks.targets.length > 0;
      return holds ? keyed(turned, 'targets', frame, Object.fromEntries(reaches)) : turned;
    });
  };
  useKeying('joints', keyHere);
  useOnionSkins((at) => guest.ghost(at), true);
  const choices: (readonly [string, string])[] = [
    ['', 'rest pose'],
    ...own.value.map(({ name }) => [`own ${name}`, name] as const),
    ...(performance ? [[`file ${performance.id}`, 'the performance'] as const] : []),
  ];
  const chooseBase = (key: string) =>
    editClip(studio, 'Change the motion', (one) => {
      if (key === '') return { ...one, base: undefined };
      const clipped = own.value.find(({ name }) => `own ${name}` === key);
      if (clipped) return overClip(one, clipped, { kind: 'own', name: clipped.name });
      return performance ? { ...one, base: { kind: 'file', id: performance.id, name: 'the performance' } } : one;
    });
  const save = async () => {
    const { joints } = guest;
    const transforms = guest.sample();
    const motion = { name: now.name, fps, frames: now.frames, joints, transforms };
    try {
      const made = await exportMotion(bench, file, motion, kind.value, skin);
      if (made) download(made.blob, made.path);
    } catch (error) {
      fail(error as Error);
    }
  };
  return (
    <>
      <Choice
        label="Keys lie over"
        title="The motion that keys turn joints away from: a clip of the file, or what was performed in Puppet"
        value={base === undefined ? '' : base.kind === 'own' ? `own ${base.name}` : `file ${base.id}`}
        choices={choices}
        onChange={chooseBase}
      />
      <button type="button" class="button wide" title="A key of all joints at the playhead (K)" onClick={keyHere}>
        Key at frame {frame + 1}
      </button>
      <Choice
        label="Take along"
        title="The clip of the timeline as a file"
        value={kind.value}
        choices={(Object.keys(MOTION_EXPORTS) as MotionExport[]).map((key) => [key, MOTION_EXPORTS[key]] as const)}
        onChange={(next) => {
          kind.value = next;
        }}
      />
      {session.task.value ? (
        <button type="button" class="button wide" onClick={() => bench.cancel()}>
          Cancel · {session.task.value.stage}
        </button>
      ) : (
        <button type="button" class="button wide" onClick={() => void save()}>
          Save clip
        </button>
      )}
    </>
  );
}

function isUntouched(clips: readonly EditedClip[]): boolean {
  const [only] = clips;
  return clips.length === 1 && only.base === undefined && keyFrames(only).length === 0;
}

function overClip(clip: EditedClip, { frames, fps }: JointClip, base: ClipBase): EditedClip {
  return { ...clip, frames: Math.max(frames, (keyFrames(clip).at(-1) ?? 0) + 1), fps, base };
}
