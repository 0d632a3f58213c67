/** The picture with what may stand over it: tags, view chips, the legend, the dividing line. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Colouring, Layout } from '../store/view.ts';
import { openViewport } from '../viewport/open.ts';
import type { Viewport } from '../viewport/viewport.ts';
import { error } from './amounts.ts';
import { Legend } from './legend.tsx';
import { Mirror } from './mirror.tsx';
import { Notice } from './notice.tsx';
import { useStudio } from './studio.ts';
import { droppedFiles } from './take-files.ts';

const COLOURING_NAMES: readonly (readonly [Colouring, string, string])[] = [
  ['surface', 'Surface', '1'],
  ['heat', 'Heat map', '2'],
  ['weights', 'Weights', '3'],
  ['bones', 'Bones', '4'],
];
const LAYOUT_NAMES: readonly (readonly [Layout, string])[] = [
  ['split', 'Split'],
  ['beside', 'Side by side'],
  ['overlay', 'Overlay'],
  ['result', 'Result'],
];

export function ViewPane() {
  const studio = useStudio();
  const { bench, document, view, session } = studio;
  const { store } = bench;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [dropping, setDropping] = useState(false);
  const [generation, setGeneration] = useState(0);
  useEffect(() => {
    if (!canvas.current) return undefined;
    const open = (viewport: Viewport | undefined) => {
      studio.viewport.value = viewport;
    };
    return openViewport(canvas.current, bench, open, () => setGeneration(generation + 1));
  }, [studio, bench, generation]);
  const run = document.runs.value.find(({ id }) => id === document.shown.value);
  const other = document.runs.value.find(({ id }) => id === document.compared.value);
  const live = session.task.value !== undefined && session.task.value.command !== 'pose';
  const posing = session.hands.value || document.mode.value === 'pose';
  const pair = session.pair.value;
  const both = (run !== undefined || live || pair !== undefined) && !posing;
  const layout = view.layout.value;
  return (
    <main
      class="view"
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={async (event) => {
        event.preventDefault();
        setDropping(false);
        if (event.dataTransfer) await bench.offer(await droppedFiles(event.dataTransfer));
      }}
    >
      <canvas key={generation} ref={canvas} tabIndex={0} aria-label="Original and result, in motion" />
      {!posing && layout !== 'result' && document.input.value && (!pair || pair.given) && (
        <span class="tag given">
          {pair ? pair.given : other ? `${other.title} · E_RMS ${error(other.eRms)}` : 'Original'}
        </span>
      )}
      {both && (
        <span class="tag result">
          {live ? 'Fitting …' : pair ? pair.result : `${run?.title} · E_RMS ${error(run?.eRms ?? 0)}`}
        </span>
      )}
      {session.views.value?.map((name, k, all) => (
        <span key={name} class="tag" style={{ left: `calc(${(100 * k) / all.length}% + 12px)` }}>
          {name}
        </span>
      ))}
      {both && layout === 'split' && (!pair || pair.given) && <Divider />}
      {both && layout === 'beside' && <div class="middle" />}
      {!document.input.value && !session.opening.value && (
        <p class="hint">
          <span>Drop a mesh animation here, or choose one of the examples.</span>
        </p>
      )}
      {document.input.value?.example && document.mode.value === 'fit' && document.runs.value.length < 2 && !live && (
        <p class="hint">
          <span>Drop a mesh animation here, or pull this one by its skin in Pose.</span>
        </p>
      )}
      <div class="foot">
        {both && (
          <div class="chips" role="toolbar" aria-label="View">
            {COLOURING_NAMES.map(([key, name, shortcut]) => (
              <button
                key={key}
                type="button"
                class="chip"
                title={`${name} (${shortcut})`}
                aria-pressed={view.colouring.value === key}
                onClick={() => store.setView({ colouring: key })}
              >
                {name}
              </button>
            ))}
            <span class="gap" />
            {LAYOUT_NAMES.map(([key, name]) => (
              <button
                key={key}
                type="button"
                class="chip"
                title={`${name} (L for the next)`}
                aria-pressed={layout === key}
                onClick={() => store.setView({ layout: key })}
              >
                {name}
              </button>
            ))}
          </div>
        )}
        {both && <Legend />}
      </div>
      <Mirror />
      <Notice />
      {session.opening.value && (
        <div class="veil" role="status">
          {session.opening.value} …
        </div>
      )}
      {dropping && <div class="drop">Drop files or a folder to open them</div>}
    </main>
  );
}

/** Dragged anywhere, or moved by the arrow keys. */
function Divider() {
  const { bench, view } = useStudio();
  const at = view.split.value;
  const place = (split: number) => bench.store.setView({ split: Math.min(0.98, Math.max(0.02, split)) });
  return (
    <div
      class="divider"
      role="slider"
      tabIndex={0}
      aria-label="Dividing line between original and result"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * at)}
      style={{ left: `${100 * at}%` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const box = event.currentTarget.parentElement?.getBoundingClientRect();
        if (box) place((event.clientX - box.left) / box.width);
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
        if (step === undefined) return;
        event.stopPropagation();
        place(at + step);
      }}
    >
      <span>‹ ›</span>
    </div>
  );
}
