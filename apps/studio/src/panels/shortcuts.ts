/** Keys, in one table: what the list shows is what works. */
import { keyFrames } from '../store/clips.ts';
import type { Store } from '../store/store.ts';
import { COLOURINGS, LAYOUTS } from '../store/view.ts';
import type { AxisView } from '../viewport/stage.ts';
import { heatScale } from '../viewport/viewport.ts';
import { copyKeys, pasteKeys, removeKeys } from './clip-bar.tsx';
import { neighbourKey } from './clip-tracks.tsx';
import type { Studio } from './studio.ts';

export interface Shortcut {
  readonly keys: string;
  readonly text: string;
  readonly matches: (event: KeyboardEvent) => boolean;
  readonly act: (store: Store, event: KeyboardEvent, studio: Studio) => void;
}

const plain = (key: string) => (event: KeyboardEvent) =>
  event.key.toLowerCase() === key && !event.ctrlKey && !event.metaKey && !event.altKey;
const control = (key: string, shift: boolean) => (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey) && event.shiftKey === shift && event.key.toLowerCase() === key;

function step(store: Store, by: number): void {
  const { document, view, session } = store.state;
  const frames = (session.clip ?? document.input)?.frames ?? 1;
  store.setView({ playing: false, frame: (view.frame + by + frames) % frames });
}

const AXIS_KEYS: Readonly<Record<string, AxisView>> = {
  Digit5: 'front',
  Digit6: 'right',
  Digit7: 'back',
  Digit8: 'top',
  Numpad1: 'front',
  Numpad3: 'right',
  Numpad7: 'top',
};

function axisOf({ code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): AxisView | undefined {
  return ctrlKey || metaKey || altKey || shiftKey ? undefined : AXIS_KEYS[code];
}

export const SHORTCUTS: readonly Shortcut[] = [
  {
    keys: 'Space',
    text: 'Play or pause',
    matches: plain(' '),
    act: (store) => store.setView({ playing: !store.state.view.playing }),
  },
  {
    keys: '← →',
    text: 'One frame back or on',
    matches: (event) => plain('arrowleft')(event) || plain('arrowright')(event),
    act: (store, { key }) => step(store, key === 'ArrowLeft' ? -1 : 1),
  },
  {
    keys: '1 2 3 4',
    text: 'Surface, heat map, weights, bones',
    matches: (event) => /^Digit[1-4]$/.test(event.code) && !event.ctrlKey && !event.metaKey && !event.altKey,
    act: (store, { key }) => store.setView({ colouring: COLOURINGS[Number(key) - 1] }),
  },
  {
    keys: 'F',
    text: 'Frame the character; double click: go nearer to what is there',
    matches: plain('f'),
    act: (_store, _event, { viewport }) => viewport.value?.frameShown(),
  },
  {
    keys: '0',
    text: 'The view as it was at first',
    matches: plain('0'),
    act: (_store, _event, { viewport }) => viewport.value?.frameInput(),
  },
  {
    keys: '5 6 7 8',
    text: 'From the front, the right, the back, above; also 1, 3 and 7 of a number pad',
    matches: (event) => axisOf(event) !== undefined,
    act: (_store, event, { viewport }) => viewport.value?.turnTo(axisOf(event) ?? 'front'),
  },
  {
    keys: 'G',
    text: 'Lines on the ground, or none',
    matches: plain('g'),
    act: (store) => store.setView({ grid: !store.state.view.grid }),
  },
  { keys: 'H', text: 'Fix the scale of the heat map, or let it follow the run', matches: plain('h'), act: toggleScale },
  { keys: 'L', text: 'Next layout: split, side by side, overlay, result', matches: plain('l'), act: nextLayout },
  {
    keys: 'E',
    text: 'Export',
    matches: plain('e'),
    act: (store) => store.state.document.shown && store.setSession({ dialog: 'export' }),
  },
  { keys: 'T', text: 'Dark, light, or as the system says', matches: plain('t'), act: nextTheme },
  {
    keys: 'K',
    text: 'Key what is shown at the playhead',
    matches: plain('k'),
    act: (_store, _event, { keyHere }) => keyHere.value?.(),
  },
  {
    keys: ', .',
    text: 'The key before, the next one',
    matches: (event) => plain(',')(event) || plain('.')(event),
    act: goToKey,
  },
  {
    keys: 'Ctrl C',
    text: 'Copy the chosen keys',
    matches: control('c', false),
    act: (_s, _e, studio) => copyKeys(studio),
  },
  {
    keys: 'Ctrl V',
    text: 'Paste them at the playhead',
    matches: control('v', false),
    act: (_s, _e, studio) => pasteKeys(studio),
  },
  {
    keys: 'Delete',
    text: 'Remove the chosen keys',
    matches: (event) => plain('delete')(event) || plain('backspace')(event),
    act: (_store, _event, studio) => removeKeys(studio),
  },
  {
    keys: 'O',
    text: 'See the keys before and after through the character',
    matches: plain('o'),
    act: (store) => store.setView({ onion: !store.state.view.onion }),
  },
  {
    keys: 'Shift',
    text: 'In Pose: press with it to pin a point, or to let it go. Over weights: drag with it to gather bones',
    matches: () => false,
    act: () => {},
  },
  { keys: 'Ctrl Z', text: 'Undo', matches: control('z', false), act: (store) => store.undo() },
  {
    keys: 'Ctrl Shift Z',
    text: 'Redo',
    matches: control('z', true),
    act: (store) => store.redo(),
  },
  {
    keys: '?',
    text: 'This list',
    matches: (event) => event.key === '?',
    act: (store) => store.setSession({ dialog: 'shortcuts' }),
  },
];

function goToKey(store: Store, { key }: KeyboardEvent, { clip }: Studio): void {
  if (!store.state.session.keying) return;
  const frame = neighbourKey(keyFrames(clip.value), store.state.view.frame, key === ',' ? -1 : 1);
  if (frame !== undefined) store.setView({ frame, playing: false });
}

function toggleScale(store: Store): void {
  const { document, view } = store.state;
  const run = document.runs.find(({ id }) => id === document.shown);
  store.setView({ heatLimit: view.heatLimit === undefined ? heatScale(run?.spread.p999) : undefined });
}

function nextLayout(store: Store): void {
  const { layout } = store.state.view;
  store.setView({ layout: LAYOUTS[(LAYOUTS.indexOf(layout) + 1) % LAYOUTS.length] });
}

function nextTheme(store: Store): void {
  const themes = ['system', 'dark', 'light'] as const;
  store.setView({ theme: themes[(themes.indexOf(store.state.view.theme) + 1) % themes.length] });
}

/** @returns a function that ends it */
export function listenForKeys(studio: Studio): () => void {
  const { store } = studio.bench;
  const listeners = new AbortController();
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.defaultPrevented || store.state.session.dialog || store.state.session.question) return;
      const target = event.target as HTMLElement;
      const typing =
        /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== 'range';
      if (typing && !event.ctrlKey && !event.metaKey) return;
      // A button that has the focus is pressed by Space, as everywhere.
      if (event.key === ' ' && target.tagName === 'BUTTON') return;
      const shortcut = SHORTCUTS.find(({ matches }) => matches(event));
      if (!shortcut) return;
      event.preventDefault();
      shortcut.act(store, event, studio);
    },
    { signal: listeners.signal },
  );
  return () => listeners.abort();
}
