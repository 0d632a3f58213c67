/** Puts a viewport on a canvas, keeps it at the canvas's size, and asks for another canvas when the context is lost. */
import type { Workbench } from '../jobs/workbench.ts';
import { Stage } from './stage.ts';
import { Viewport } from './viewport.ts';

/** Further than this between press and release is a drag of the camera, not a click. */
const CLICK_PIXELS = 4;

/**
 * @param onOpen  told of the viewport when it is there, and when it is gone
 * @param onLost  told when the context was lost: the canvas is of no use any more, and another one is needed
 * @returns       a function that closes it
 */
export function openViewport(
  canvas: HTMLCanvasElement,
  bench: Workbench,
  onOpen: (viewport: Viewport | undefined) => void,
  onLost: () => void,
): () => void {
  const { store, library } = bench;
  const listeners = new AbortController();
  const { signal } = listeners;
  const forceWebGL = new URLSearchParams(location.search).get('renderer') === 'webgl';
  let viewport: Viewport | undefined;
  const observer = new ResizeObserver(() => viewport?.resize(canvas.clientWidth, canvas.clientHeight));

  const start = async () => {
    try {
      const stage = await Stage.open(canvas, forceWebGL);
      if (signal.aborted) return stage.dispose();
      viewport = new Viewport(stage, store, library);
      viewport.resize(canvas.clientWidth, canvas.clientHeight);
      onOpen(viewport);
      bench.onLive = (snapshot) => viewport?.showLive(snapshot);
      store.setSession({ renderer: viewport.backend });
      observer.observe(canvas);
      stage.renderer.onDeviceLost = (info: { message?: string }) => lost(info.message || 'no reason given');
    } catch (error) {
      const text = `this browser draws neither WebGPU nor WebGL 2 here (${(error as Error).message}); try another browser`;
      store.setSession({ notice: { kind: 'error', text } });
    }
  };

  const lost = (reason: string) => {
    if (signal.aborted) return;
    const text = `the graphics context was lost (${reason}), and opened again`;
    store.setSession({ notice: { kind: 'info', text } });
    onLost();
  };

  let pressed = { x: 0, y: 0 };
  canvas.addEventListener('pointerdown', ({ clientX, clientY }) => (pressed = { x: clientX, y: clientY }), { signal });
  canvas.addEventListener(
    'pointerup',
    ({ clientX, clientY }) => {
      if (Math.hypot(clientX - pressed.x, clientY - pressed.y) > CLICK_PIXELS) return;
      if (store.state.view.colouring !== 'weights' || viewport?.guest) return;
      const bone = viewport?.boneAt(clientX, clientY);
      store.setView({ bone: bone === store.state.view.bone ? undefined : bone });
    },
    { signal },
  );
  void start();
  return () => {
    listeners.abort();
    observer.disconnect();
    onOpen(undefined);
    viewport?.dispose();
  };
}
