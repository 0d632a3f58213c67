import { count, kilobytes } from './amounts.ts';
import { useStudio } from './studio.ts';
import { chooseFiles } from './take-files.ts';

const SAVED = {
  saving: 'Saving …',
  saved: 'Saved in this browser',
  elsewhere: 'Open in another tab: not saved here',
  off: '',
} as const;

/** Name, file, state, undo, and the one next action. */
export function TopBar() {
  const studio = useStudio();
  const { bench, document, session, undo, redo } = studio;
  const input = document.input.value;
  const run = document.runs.value.find(({ id }) => id === document.shown.value);
  const { store } = bench;
  return (
    <header class="top">
      <h1 class="name">pelt</h1>
      <span class="file" title={input?.label}>
        {input &&
          `${input.label} · ${count(input.vertices)} vertices · ${input.frames} frame${input.frames === 1 ? '' : 's'}`}
      </span>
      <span class="gap" />
      <span class="state" role="status">
        {SAVED[session.saved.value]}
      </span>
      <button type="button" class="button" onClick={() => chooseFiles((files) => bench.offer(files))}>
        Open
      </button>
      <button
        type="button"
        class="button"
        disabled={undo.value === undefined}
        title={undo.value ? `Undo: ${undo.value} (Ctrl+Z)` : 'Nothing to undo'}
        onClick={() => store.undo()}
      >
        Undo
      </button>
      <button
        type="button"
        class="button redo"
        disabled={redo.value === undefined}
        title={redo.value ? `Redo: ${redo.value} (Ctrl+Shift+Z)` : 'Nothing to redo'}
        onClick={() => store.redo()}
      >
        Redo
      </button>
      <button
        type="button"
        class={`button ${run ? 'primary' : ''}`}
        disabled={!run}
        onClick={() => store.setSession({ dialog: 'export' })}
      >
        {run ? `Export · ${kilobytes(run.bytes)}` : 'Export'}
      </button>
    </header>
  );
}
