/** Joints turned by hand, with the manners of deforming side by side to choose from. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Manner } from '../viewport/joint-body.ts';
import type { JointGuest } from '../viewport/joint-guest.ts';
import { Choice, Segments, Slider } from './controls.tsx';
import { useStudio } from './studio.ts';

const AXES = ['X', 'Y', 'Z'] as const;
const STILL = [0, 0, 0] as const;

/** What a hand on joints has to offer to whatever else there is to do. */
export interface HandOfJoints {
  readonly guest: JointGuest;
  /** The manner that is shown, and the joint that turns. */
  readonly shown: string;
  readonly joint: number;
  /** Counts what has turned. */
  readonly turns: ReadonlySignal<number>;
}

interface JointHandsProps {
  /** Made when the hands come: files are read then. */
  readonly manners: () => Promise<readonly Manner[]>;
  /** With what they are called; the first is shown first. */
  readonly names: readonly (readonly [string, string, string?])[];
  /** What else there is to do with the joints, and the name of the manner that is shown. */
  readonly more?: (hand: HandOfJoints) => ComponentChildren;
  /** What is to be done, where it is more than to look. */
  readonly intro?: string;
  /** What is done with the pose: a verb, and the doing. */
  readonly action?: readonly [string, (guest: JointGuest) => void];
  /** What the button that leaves is called. */
  readonly closing?: string;
  readonly onClose?: () => void;
}

const INTRO = 'Click a joint and turn its rings, drag the skin, or use the sliders.';

export function JointHands(props: JointHandsProps) {
  const { manners, names, more, intro = INTRO, action, closing = 'Done', onClose } = props;
  const studio = useStudio();
  const { bench, viewport } = studio;
  const { store } = bench;
  const guest = useRef<JointGuest | undefined>(undefined);
  const joints = useSignal<readonly string[]>([]);
  const joint = useSignal(0);
  const turn = useSignal<readonly [number, number, number]>(STILL);
  /** Whether a slider turns the joint, and need not be told. */
  const sliding = useRef(false);
  const manner = useSignal(names[0][0]);
  /** Counts what has turned. */
  const turns = useSignal(0);
  const shown = viewport.value;
  useEffect(() => {
    let closed = false;
    const fail = (error: Error) => store.setSession({ notice: { kind: 'error', text: error.message } });
    const onTurn = () => {
      if (!guest.current) return;
      turns.value++;
      // Drawn again only where it has turned: a number that is being typed would be lost.
      const next = guest.current.turnOf(joint.value);
      if (!sliding.current && next.some((value, k) => value !== turn.value[k])) turn.value = next;
    };
    const start = async () => {
      if (!shown) return;
      const { JointGuest } = await import('../viewport/joint-guest.ts');
      const onChoose = (chosen: number) => {
        if (chosen === joint.value) return;
        joint.value = chosen;
        turn.value = guest.current?.turnOf(chosen) ?? STILL;
      };
      const onStep = (label: string) => guest.current && store.note(label, guest.current);
      const made = await JointGuest.open(shown, await manners(), { onTurn, onChoose, onStep, onError: fail });
      if (closed) return made.dispose();
      guest.current = made;
      joints.value = made.joints;
      made.choose(joint.value);
    };
    store.setSession({ hands: true });
    start().catch(fail);
    return () => {
      closed = true;
      if (guest.current) store.release(guest.current);
      guest.current?.dispose();
      guest.current = undefined;
      store.setSession({ hands: false });
    };
  }, [shown]);
  const turnBy = (axis: number, degrees: number) => {
    const next = turn.value.map((value, k) => (k === axis ? degrees : value)) as [number, number, number];
    turn.value = next;
    sliding.current = true;
    guest.current?.turn(joint.value, ...next);
    sliding.current = false;
  };
  if (joints.value.length === 0) return <p class="dim">Opening the character …</p>;
  return (
    <section class="group" aria-label="Joints">
      <p class="dim">{intro}</p>
      {names.length > 1 && (
        <Segments
          label="Deformed by"
          bare
          value={manner.value}
          choices={names}
          onChange={(name) => {
            manner.value = name;
            guest.current?.show(name);
          }}
        />
      )}
      <Choice
        label="Joint"
        value={String(joint.value)}
        choices={joints.value.map((name, j) => [String(j), name] as const)}
        onChange={(key) => {
          guest.current?.end();
          guest.current?.choose(Number(key));
        }}
      />
      {AXES.map((name, axis) => (
        <Slider
          key={name}
          label={`About ${name}, °`}
          value={turn.value[axis]}
          min={-180}
          max={180}
          onChange={(degrees) => turnBy(axis, degrees)}
        />
      ))}
      {guest.current && more?.({ guest: guest.current, shown: manner.value, joint: joint.value, turns })}
      {action && (
        <button type="button" class="button primary wide" onClick={() => guest.current && action[1](guest.current)}>
          {action[0]}
        </button>
      )}
      <div class="row">
        <button
          type="button"
          class="button"
          onClick={() => {
            guest.current?.reset();
          }}
        >
          Reset pose
        </button>
        {onClose && (
          <button type="button" class="button" onClick={onClose}>
            {closing}
          </button>
        )}
      </div>
    </section>
  );
}
