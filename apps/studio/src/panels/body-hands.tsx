/** The body is prepared by hand: joints are placed in it, or vertices painted that hold to the bones; mirrored. */
import { BODY_PLANS, type BodyPlan } from '@pelt/skin/embed/options';
import { effect, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { snappedInside } from '../store/body-inside.ts';
import type { VolumeChoices } from '../store/document.ts';
import { withLandmark } from '../store/landmarks.ts';
import {
  addJoint,
  brushed,
  mirrorPlane,
  mirrorPoint,
  type Point,
  painted,
  removeJoint,
} from '../store/placed-skeleton.ts';
import type { BodyGuest, BodyTool } from '../viewport/body-guest.ts';
import { CaptureLandmarks, nextJoint, type OpenCapture } from './capture-landmarks.tsx';
import { Choice, Slider, Toggle } from './controls.tsx';
import { useStudio } from './studio.ts';
import { chooseFiles } from './take-files.ts';

interface BodyHandsProps {
  readonly tool: BodyTool;
  readonly onClose: () => void;
}

/** Width of a new brush, in parts of the model's radius. */
const BRUSH = 0.12;

export function BodyHands({ tool, onClose }: BodyHandsProps) {
  const studio = useStudio();
  const { bench, document, viewport } = studio;
  const { store, library } = bench;
  const guest = useRef<BodyGuest | undefined>(undefined);
  const open = useSignal(false);
  const chosen = useSignal(-1);
  const brush = useSignal(BRUSH);
  const plan = useSignal<BodyPlan>(BODY_PLANS[0]);
  const capture = useSignal<OpenCapture | undefined>(undefined);
  const shown = viewport.value;
  /** As they were when the hand came, for Cancel. */
  const before = useRef(document.volume.value.joints);
  const rest = library.get(document.input.value?.id)?.sequence?.rest;
  const { joints, mirrored, constraints = [] } = document.volume.value;
  const set = (label: string, change: (volume: VolumeChoices) => Partial<VolumeChoices>, merge?: string) =>
    store.edit(label, (now) => ({ ...now, volume: { ...now.volume, ...change(now.volume) } }), merge);
  useEffect(() => {
    if (!shown || !rest) return undefined;
    let closed = false;
    const middle = mirrorPlane(rest.positions);
    const plane = () => (store.state.document.volume.mirrored ? middle : undefined);
    const events = {
      onPlace: (through: readonly [Point, Point]) => {
        const fitting = capture.value;
        if (fitting) {
          const next = nextJoint(fitting, plane() !== undefined);
          if (next) capture.value = { ...fitting, landmarks: withLandmark(fitting.landmarks, next, through, plane()) };
          return;
        }
        const before = store.state.document.volume.joints.length;
        set('Place a joint', (volume) => ({
          joints: addJoint(volume.joints, Math.min(chosen.value, before - 1), through, plane(), (at) =>
            snappedInside(rest, at),
          ),
        }));
        // The next one hangs from this one.
        chosen.value = before;
      },
      onPick: (joint: number) => {
        chosen.value = joint;
      },
      onBrush: (at: Point, erase: boolean) => {
        const centres = plane() ? [at, mirrorPoint(at, middle)] : [at];
        const found = brushed(rest.positions, centres, brush.value * shown.stage.radius);
        const change = (volume: VolumeChoices) => ({
          constraints: painted(volume.constraints ?? [], found, erase),
        });
        set(erase ? 'Erase constraints' : 'Paint constraints', change, 'volume paint');
      },
    };
    const start = async () => {
      const { BodyGuest } = await import('../viewport/body-guest.ts');
      if (closed) return;
      guest.current = new BodyGuest(shown, rest, events);
      guest.current.tool = tool;
      show();
      open.value = true;
    };
    const show = () => {
      const { volume } = store.state.document;
      const clicked = Object.entries(capture.value?.landmarks ?? {});
      const landmarks = clicked.map(([name, at]) => ({ name, parent: -1, at, twin: -1 }));
      guest.current?.showJoints(capture.value ? landmarks : volume.joints, chosen.value);
      guest.current?.showConstraints(volume.constraints ?? []);
      guest.current?.showPlane(volume.mirrored ? middle : undefined);
    };
    const leave = store.subscribe((state, before) => {
      if (state.document.volume !== before.document.volume) show();
    });
    const follow = effect(() => {
      void [chosen.value, capture.value];
      show();
    });
    store.setSession({ hands: true });
    void start();
    return () => {
      closed = true;
      leave();
      follow();
      guest.current?.dispose();
      guest.current = undefined;
      store.setSession({ hands: false });
    };
  }, [shown, rest, tool]);
  if (!open.value) return <p class="dim">Opening the body …</p>;
  const mirror = (
    <Toggle
      label="On both sides"
      title="What is done on one side of the body is done on the other"
      value={mirrored}
      onChange={(value) => set('Change mirroring', () => ({ mirrored: value }))}
    />
  );
  if (tool === 'paint') {
    return (
      <section class="group" aria-label="Constraints">
        <p class="dim">Paint what holds to the bones; the rest follows. Shift erases.</p>
        <Slider
          label="Brush"
          value={brush.value}
          min={0.02}
          max={0.4}
          step={0.01}
          onChange={(size) => (brush.value = size)}
        />
        {mirror}
        <p class="dim small">{constraints.length} vertices hold to the bones.</p>
        <div class="row">
          <button
            type="button"
            class="button"
            onClick={() => set('Clear constraints', () => ({ constraints: undefined }))}
          >
            Find them by itself
          </button>
          <button type="button" class="button primary" onClick={onClose}>
            Done
          </button>
        </div>
      </section>
    );
  }
  const findJoints = async () => {
    const found = await bench.embed(plan.value);
    if (!found) return;
    chosen.value = -1;
    set('Find joints', () => ({ joints: found.joints }));
  };
  const openCapture = () =>
    chooseFiles(async ([file]) => {
      const read = await bench.capture(file);
      if (read) capture.value = { file, found: new Set(read.found), landmarks: {}, skipped: new Set() };
    });
  const fitCapture = async ({ file, landmarks }: OpenCapture) => {
    const fitted = await bench.capture(file, landmarks);
    if (!fitted) return;
    capture.value = undefined;
    chosen.value = -1;
    const id = library.newId('file');
    library.set(id, { files: [file] });
    const { joints: placed } = fitted;
    set('Fit a captured skeleton', () => ({
      joints: placed,
      capture: { id, name: file.path, landmarks, joints: placed },
    }));
  };
  if (capture.value) {
    const fitting = capture.value;
    return (
      <section class="group" aria-label="Landmarks">
        {mirror}
        <CaptureLandmarks
          capture={fitting}
          mirrored={mirrored}
          onChange={(next) => {
            capture.value = next;
          }}
          onFit={() => void fitCapture(fitting)}
        />
      </section>
    );
  }
  return (
    <section class="group" aria-label="Skeleton">
      <p class="dim">
        {joints.length === 0
          ? 'Click the hips: the joint goes into the middle of the body.'
          : 'Click the next joint of the limb. Click a joint to go on from there.'}
      </p>
      {mirror}
      {joints.length === 0 && (
        <div class="row">
          <Choice
            label="Kind"
            value={plan.value}
            choices={BODY_PLANS.map((name) => [name, name] as const)}
            onChange={(name) => {
              plan.value = name as BodyPlan;
            }}
          />
          <button
            type="button"
            class="button"
            title="Joints of this kind of body, found by the shape of the mesh; correct them then"
            onClick={() => void findJoints()}
          >
            Find joints
          </button>
        </div>
      )}
      {joints.length === 0 && (
        <button
          type="button"
          class="button wide"
          title="The skeleton of a motion capture (.bvh), fitted to joints that you click"
          onClick={openCapture}
        >
          Fit a captured skeleton …
        </button>
      )}
      <p class="dim small">
        {joints.length} joints
        {chosen.value >= 0 && joints[chosen.value] ? `; the next hangs from ${joints[chosen.value].name}` : ''}
      </p>
      <button
        type="button"
        class="button primary wide"
        disabled={joints.length < 2}
        onClick={() => {
          onClose();
          void bench.rig();
        }}
      >
        Use this skeleton
      </button>
      <div class="row">
        <button
          type="button"
          class="button"
          disabled={!joints[chosen.value]}
          onClick={() => {
            const joint = chosen.value;
            chosen.value = joints[joint]?.parent ?? -1;
            set('Remove a joint', (volume) => ({ joints: removeJoint(volume.joints, joint) }));
          }}
        >
          Remove joint
        </button>
        <button
          type="button"
          class="button"
          disabled={joints.length === 0}
          onClick={() => {
            chosen.value = -1;
            set('Start over', () => ({ joints: [] }));
          }}
        >
          Start over
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            set('Cancel placing joints', () => ({ joints: before.current }));
            onClose();
          }}
        >
          Cancel
        </button>
      </div>
    </section>
  );
}
