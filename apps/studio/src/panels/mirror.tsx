import { useEffect, useRef } from 'preact/hooks';
import { limbsOf, type PerformerFrame } from '../store/performer.ts';
import { useStudio } from './studio.ts';

/** Pixels of the drawing; the style says how large it is shown. */
const [WIDTH, HEIGHT] = [320, 240];
/** Below this a joint is a guess of the tracker, and is not drawn. */
const SURE = 0.3;
const BONE = '#e0913a';
const JOINT = '#ffffff';

/** The performer as a mirror shows them, small in the corner, with the skeleton that is tracked. */
export function Mirror() {
  const { performer } = useStudio();
  const shown = performer.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const video = shown?.video;
  useEffect(() => {
    if (!video) return undefined;
    place.current?.prepend(video);
    return () => video.remove();
  }, [video]);
  useEffect(() => {
    const drawing = canvas.current?.getContext('2d');
    if (!drawing || !shown) return;
    drawing.clearRect(0, 0, WIDTH, HEIGHT);
    if (shown.frame?.picture) drawFigure(drawing, shown.joints, shown.frame, shown.frame.picture);
  }, [shown]);
  if (!shown) return null;
  return (
    <figure class="mirror" aria-label="Performer" data-camera={video !== undefined}>
      <div class="picture" ref={place}>
        <canvas ref={canvas} width={WIDTH} height={HEIGHT} />
      </div>
      <figcaption>
        <span role="status">{shown.caption}</span>
      </figcaption>
    </figure>
  );
}

function drawFigure(
  drawing: CanvasRenderingContext2D,
  joints: readonly string[],
  { confidence }: PerformerFrame,
  picture: Float32Array,
): void {
  const at = (j: number): [number, number] => [WIDTH * picture[2 * j], HEIGHT * picture[2 * j + 1]];
  const limbs = limbsOf(joints).filter(([a, b]) => Math.min(confidence[a], confidence[b]) >= SURE);
  drawing.lineWidth = 4;
  drawing.lineCap = 'round';
  drawing.strokeStyle = BONE;
  drawing.beginPath();
  for (const [a, b] of limbs) {
    drawing.moveTo(...at(a));
    drawing.lineTo(...at(b));
  }
  drawing.stroke();
  drawing.fillStyle = JOINT;
  for (const j of new Set(limbs.flat())) {
    drawing.beginPath();
    drawing.arc(...at(j), 3.5, 0, 2 * Math.PI);
    drawing.fill();
  }
}
