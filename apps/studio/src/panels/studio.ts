/** The store as signals: the one thin binding between plain data and components. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Workbench } from '../jobs/workbench.ts';
import type { EditedClip } from '../store/clips.ts';
import { baseOf, characterOf, clipOf, type FinishedRun, type StudioDocument } from '../store/document.ts';
import type { PerformerFrame } from '../store/performer.ts';
import type { Session } from '../store/session.ts';
import type { StudioState } from '../store/store.ts';
import type { View } from '../store/view.ts';
import type { Viewport } from '../viewport/viewport.ts';

type Slices<T> = { readonly [K in keyof T]: ReadonlySignal<T[K]> };

/** Whoever performs, as the mirror shows them. */
export interface Performer {
  /** Of the camera; absent: a stick figure alone. */
  readonly video: HTMLVideoElement | undefined;
  readonly joints: readonly string[];
  readonly frame: PerformerFrame | undefined;
  /** What is said under the picture. */
  readonly caption: string;
}

export interface Studio {
  readonly bench: Workbench;
  readonly document: Slices<StudioDocument>;
  /** Key by key, so that a component that shows no frame is not drawn at every frame. */
  readonly view: Slices<View>;
  readonly session: Slices<Session>;
  /** The rig that a reduction or a learnt skin starts from. */
  readonly base: ReadonlySignal<FinishedRun | undefined>;
  /** What is posed, filled and performed: the run that is shown, with its skin. */
  readonly character: ReadonlySignal<FinishedRun | undefined>;
  readonly undo: ReadonlySignal<string | undefined>;
  readonly redo: ReadonlySignal<string | undefined>;
  /** When there is a renderer. */
  readonly viewport: Signal<Viewport | undefined>;
  readonly performer: Signal<Performer | undefined>;
  /** The clip that is being made. */
  readonly clip: ReadonlySignal<EditedClip>;
  /** Sets a key of what is shown at the playhead; undefined where nothing can be keyed. */
  readonly keyHere: Signal<(() => void) | undefined>;
}

export function bindStudio(bench: Workbench): Studio {
  const state = signal<StudioState>(bench.store.state);
  bench.store.subscribe((next) => {
    state.value = next;
  });
  const slices = <T extends object>(part: (state: StudioState) => T): Slices<T> =>
    Object.fromEntries(
      Object.keys(part(state.value)).map((key) => [key, computed(() => part(state.value)[key as keyof T])]),
    ) as unknown as Slices<T>;
  return {
    bench,
    document: slices(({ document }) => document),
    view: slices(({ view }) => view),
    session: slices(({ session }) => session),
    base: computed(() => baseOf(state.value.document)),
    character: computed(() => characterOf(state.value.document)),
    undo: computed(() => state.value.undo),
    redo: computed(() => state.value.redo),
    viewport: signal<Viewport | undefined>(undefined),
    performer: signal<Performer | undefined>(undefined),
    clip: computed(() => clipOf(state.value.document)),
    keyHere: signal<(() => void) | undefined>(undefined),
  };
}

export const StudioContext = createContext<Studio | undefined>(undefined);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('useStudio: no studio above this component');
  return studio;
}
