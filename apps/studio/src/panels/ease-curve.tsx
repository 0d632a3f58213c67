/** The ease of a key as a curve whose two points are dragged: time to the right, the share of the way upwards. */
import { useRef } from 'preact/hooks';
import type { Curve } from '../store/keys.ts';

interface EaseCurveProps {
  readonly curve: Curve;
  /** @param merge  the same for all changes of one drag */
  readonly onChange: (curve: Curve, merge: string) => void;
}

/** Of the drawing, with what is above 1 and below 0. */
const [SIZE, ROOM] = [100, 25];
const STEP = 0.05;
/** How far an ease may swing beyond what it goes to. */
const MOST = 1.25;
const HANDLES = [0, 2] as const;

let drags = 0;

export function EaseCurve({ curve, onChange }: EaseCurveProps) {
  const drawing = useRef<SVGSVGElement>(null);
  const [x1, y1, x2, y2] = curve;
  const up = (y: number) => SIZE * (1 - y);
  const set = (handle: 0 | 2, x: number, y: number, merge: string) => {
    const next: [number, number, number, number] = [x1, y1, x2, y2];
    next[handle] = rounded(Math.min(1, Math.max(0, x)));
    next[handle + 1] = rounded(Math.min(MOST, Math.max(1 - MOST, y)));
    onChange(next, merge);
  };
  return (
    <section class="ease-curve" aria-label="Curve of the ease">
      <svg ref={drawing} viewBox={`-6 ${-ROOM - 6} ${SIZE + 12} ${SIZE + 2 * ROOM + 12}`}>
        <title>Time to the right, the way upwards</title>
        <rect width={SIZE} height={SIZE} class="frame" />
        <path d={`M0 ${SIZE}C${SIZE * x1} ${up(y1)} ${SIZE * x2} ${up(y2)} ${SIZE} 0`} class="line" />
        <path d={`M0 ${SIZE}L${SIZE * x1} ${up(y1)}M${SIZE} 0L${SIZE * x2} ${up(y2)}`} class="arm" />
        {HANDLES.map((handle) => (
          <circle
            key={handle}
            class="handle"
            role="slider"
            tabIndex={0}
            aria-label={handle === 0 ? 'How it starts' : 'How it ends'}
            aria-valuenow={curve[handle + 1]}
            aria-valuetext={`${curve[handle]}, ${curve[handle + 1]}`}
            cx={SIZE * curve[handle]}
            cy={up(curve[handle + 1])}
            r={5}
            onPointerDown={(event) => {
              drags++;
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={(event) => {
              const matrix = drawing.current?.getScreenCTM();
              if (!matrix || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
              const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
              set(handle, at.x / SIZE, 1 - at.y / SIZE, `ease ${drags}`);
            }}
            onKeyDown={(event) => {
              const [dx, dy] =
                { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] }[
                  event.key
                ] ?? [];
              if (dx === undefined || dy === undefined) return;
              event.preventDefault();
              event.stopPropagation();
              set(handle, curve[handle] + dx, curve[handle + 1] + dy, 'ease keys');
            }}
          />
        ))}
      </svg>
    </section>
  );
}

function rounded(value: number): number {
  return Math.round(100 * value) / 100;
}
