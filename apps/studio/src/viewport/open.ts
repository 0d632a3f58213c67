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
  let viewport: Viewport | undefined;
  const observer = new ResizeObserver(() => viewport?.resize(canvas.clientWidth, canvas.clientHeight));

  const start = async () => {
    try {
      const stage = await Stage.open(canvas, await prefersWebGl());
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
  const choosing = () => store.state.view.colouring === 'weights' && viewport !== undefined && !viewport.guest;
  /** Adds the bones under a pointer that is dragged over the skin, at all positions since the last event. */
  const gather = (event: PointerEvent) => {
    const bones = new Set(store.state.view.bones);
    for (const { clientX, clientY } of [...event.getCoalescedEvents(), event]) {
      const bone = viewport?.boneAt(clientX, clientY);
      if (bone !== undefined) bones.add(bone);
    }
    if (bones.size > store.state.view.bones.length) store.setView({ bones: [...bones] });
  };
  let gathering = false;
  const gatherNow = (on: boolean) => {
    gathering = on;
    if (viewport) viewport.stage.controls.enabled = !on;
  };
  canvas.addEventListener(
    'pointerdown',
    (event) => {
      pressed = { x: event.clientX, y: event.clientY };
      if (!event.shiftKey || !choosing()) return;
      gatherNow(true);
      gather(event);
    },
    // Before the camera's own listener, which would turn it.
    { signal, capture: true },
  );
  canvas.addEventListener('dblclick', ({ clientX, clientY }) => viewport?.approach(clientX, clientY), { signal });
  canvas.addEventListener('pointermove', (event) => gathering && gather(event), { signal });
  canvas.addEventListener(
    'pointerup',
    ({ clientX, clientY }) => {
      if (gathering) return gatherNow(false);
      if (Math.hypot(clientX - pressed.x, clientY - pressed.y) > CLICK_PIXELS || !choosing()) return;
      const bone = viewport?.boneAt(clientX, clientY);
      const { bones } = store.state.view;
      const again = bone === undefined || (bones.length === 1 && bones[0] === bone);
      store.setView({ bones: again ? [] : [bone] });
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

/** `?renderer=` decides; without it WebGPU where a GPU is behind it. In software WebGL 2 is faster. */
async function prefersWebGl(): Promise<boolean> {
  const asked = new URLSearchParams(location.search).get('renderer');
  if (asked === 'webgl' || asked === 'webgpu') return asked === 'webgl';
  const adapter = await navigator.gpu?.requestAdapter();
  return !adapter || adapter.info.isFallbackAdapter;
}
