/** The character that follows whoever stands before the camera: pairs are made here, and takes recorded. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { keepPair, keepTake } from '../jobs/puppet-bench.ts';
import type { BodyCamera } from '../jobs/tracker/body-camera.ts';
import { heldPose, mirrored, otherSide, type PerformerFrame } from '../store/performer.ts';
import { seconds } from './amounts.ts';
import { JointHands } from './joint-hands.tsx';
import { Follower } from './live-follower.tsx';
import { useStudio } from './studio.ts';

/** Landmarks of MediaPipe Pose; loaded with the tracker, so that the page does not wait for it. */
const loadJoints = async (hands: boolean) => {
  const { HAND_JOINTS, MEDIAPIPE_JOINTS } = await import('@pelt/io');
  return hands ? [...MEDIAPIPE_JOINTS, ...HAND_JOINTS] : MEDIAPIPE_JOINTS;
};

/** Seconds to get into a pose, and those at the end whose mean is the pose. */
const COUNTDOWN = 3;
const HELD = 0.4;
const SURE = 0.3;
/** Frames a second below which a motion is hard to follow. */
const SLOW = 4;
/** Frames whose times give the rate. */
const RATE_FRAMES = 15;

interface LiveProps {
  /** Of the run whose file is the character. */
  readonly character: string;
  readonly onStop: () => void;
}

export function LivePuppet({ character, onStop }: LiveProps) {
  const { bench, document, performer } = useStudio();
  const { store, library } = bench;
  const choices = document.puppet.value;
  const joints = useSignal<readonly string[]>([]);
  const frame = useSignal<PerformerFrame | undefined>(undefined);
  const recent = useRef<PerformerFrame[]>([]);
  const taken = useRef<PerformerFrame[] | undefined>(undefined);
  const recording = useSignal(false);
  const countdown = useSignal<number | undefined>(undefined);
  /** The performer's pose of the pair that is being made. */
  const held = useSignal<Float32Array | undefined>(undefined);
  const isMirrored = useRef(choices.mirrored);
  isMirrored.current = choices.mirrored;

  useEffect(() => {
    let camera: BodyCamera | undefined;
    let closed = false;
    const fail = (error: Error) => {
      store.setSession({ notice: { kind: 'error', text: error.message } });
      onStop();
    };
    const start = async () => {
      const [names, { BodyCamera }] = await Promise.all([
        loadJoints(choices.fingers),
        import('../jobs/tracker/body-camera.ts'),
      ]);
      const other = otherSide(names);
      const onFrame = (tracked: PerformerFrame) => {
        const next = isMirrored.current ? mirrored(tracked, other) : tracked;
        recent.current = [...recent.current.slice(-RATE_FRAMES), next];
        taken.current?.push(next);
        frame.value = next;
        performer.value = { video: camera?.video, joints: names, frame: tracked, caption: captionOf(recent.current) };
      };
      const opened = await BodyCamera.open(choices.fingers, onFrame, fail);
      if (closed) return opened.close();
      camera = opened;
      joints.value = names;
      performer.value = { video: opened.video, joints: names, frame: undefined, caption: 'Starting the tracker …' };
    };
    performer.value = { video: undefined, joints: [], frame: undefined, caption: 'Starting the camera …' };
    start().catch(fail);
    return () => {
      closed = true;
      camera?.close();
      performer.value = undefined;
    };
  }, []);

  const countDown = () => {
    const end = performance.now() + 1000 * COUNTDOWN;
    countdown.value = COUNTDOWN;
    const timer = setInterval(() => {
      const left = Math.ceil((end - performance.now()) / 1000);
      countdown.value = Math.max(1, left);
      if (left > 0) return;
      clearInterval(timer);
      countdown.value = undefined;
      const last = recent.current.at(-1)?.time ?? 0;
      const pose = heldPose(
        recent.current.filter(({ time }) => time > last - HELD),
        SURE,
      );
      if (pose) held.value = pose;
      else {
        const text = 'nobody was seen; step back until hips and shoulders are in the picture, and try again';
        store.setSession({ notice: { kind: 'error', text } });
      }
    }, 100);
  };
  const record = () => {
    if (!taken.current) {
      taken.current = [];
      recording.value = true;
      return;
    }
    const frames = taken.current;
    taken.current = undefined;
    recording.value = false;
    keepTake(bench, frames);
  };
  const [file] = library.get(character)?.files ?? [];
  if (!file) return null;
  if (held.value) {
    const pose = held.value;
    return (
      <JointHands
        key="pair"
        names={[['character', 'character']]}
        manners={async () => [{ name: 'character', bytes: await file.blob.arrayBuffer() }]}
        intro="Now set the pose that the character takes with it: click a joint and turn its rings, or drag the skin."
        closing="Discard"
        onClose={() => {
          held.value = undefined;
        }}
        action={[
          'Keep pair',
          (guest) => {
            const name = choices.made.length === 0 ? 'neutral' : `pose ${choices.made.length}`;
            const pair = { name, performer: [...pose], character: guest.transforms };
            held.value = undefined;
            void keepPair(bench, pair, joints.value);
          },
        ]}
      />
    );
  }
  const first = recording.value ? taken.current?.[0]?.time : undefined;
  return (
    <>
      {joints.value.length > 0 && (
        <Follower key={`${character} ${choices.pairs?.id}`} character={character} joints={joints.value} frame={frame} />
      )}
      <div class="row">
        <button
          type="button"
          class="button"
          disabled={frame.value === undefined || countdown.value !== undefined || recording.value}
          title="Hold a pose until it has counted down; then set what the character does"
          onClick={countDown}
        >
          {countdown.value === undefined ? 'Make a pair' : `Hold this pose: ${countdown.value}`}
        </button>
        <button
          type="button"
          class={`button ${recording.value ? 'primary' : ''}`}
          disabled={frame.value === undefined}
          onClick={record}
        >
          {recording.value
            ? `Stop · ${seconds((frame.value?.time ?? 0) - (first ?? frame.value?.time ?? 0))}`
            : 'Record'}
        </button>
      </div>
      <button type="button" class="button wide" onClick={onStop}>
        Stop the camera
      </button>
    </>
  );
}

/** How it goes, in a few words under the mirror. */
function captionOf(recent: readonly PerformerFrame[]): string {
  const last = recent[recent.length - 1];
  if (!last.picture) return 'Nobody is seen: hips and shoulders must be in the picture';
  if (recent.length < 2) return 'Tracking';
  const rate = (recent.length - 1) / (last.time - recent[0].time);
  return rate < SLOW ? 'Tracking, slowly: close what else is busy' : `Tracking, ${Math.round(rate)} a second`;
}
