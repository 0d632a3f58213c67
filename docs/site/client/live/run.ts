/** Runs a live example in its frame: opens a stage, draws while it is in view, and says why where it cannot. */
import { FINENESS } from '../../../../apps/studio/src/viewport/pace.ts';
import { Stage } from '../../../../apps/studio/src/viewport/stage.ts';
import { type LiveExample, LiveHost, type StartLive } from './host.ts';

const EXAMPLES: Readonly<Record<string, () => Promise<{ start: StartLive }>>> = {
  fit: () => import('./fit.ts'),
  skeleton: () => import('./skeleton.ts'),
  reduce: () => import('./reduce.ts'),
  envelope: () => import('./envelope.ts'),
  pose: () => import('./pose.ts'),
  volume: () => import('./volume.ts'),
  puppet: () => import('./puppet.ts'),
  three: () => import('./crowd.ts'),
};

export async function runLiveExample(section: HTMLElement): Promise<void> {
  const picture = section.querySelector('.live-stage') as HTMLElement;
  const status = section.querySelector('.live-status') as HTMLElement;
  const button = section.querySelector('.live-start');
  const webGpu = await hasWebGpu();
  if (!webGpu && document.createElement('canvas').getContext('webgl2') === null) {
    section.classList.add('failed');
    status.textContent = 'This example needs WebGL 2 or WebGPU, which this browser does not offer.';
    button?.remove();
    return;
  }
  if (button) button.textContent = 'Loading…';
  const canvas = document.createElement('canvas');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', section.getAttribute('aria-label') ?? 'Live example');
  const stage = await Stage.open(canvas, !webGpu);
  const host = new LiveHost(section, stage, canvas);
  try {
    const { start } = await EXAMPLES[section.dataset.live ?? '']();
    const example = await start(host);
    button?.remove();
    picture.prepend(canvas);
    // The wheel scrolls the page; a finger scrolls it up and down.
    stage.controls.enableZoom = false;
    stage.controls.enablePan = false;
    canvas.style.touchAction = 'pan-y';
    loop(host, example, picture);
  } catch (error) {
    host.fail(error);
    button?.remove();
    stage.dispose();
  }
}

function loop(host: LiveHost, example: LiveExample, picture: HTMLElement): void {
  const { stage, section } = host;
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let seconds = 0;
  let before = 0;
  let request = 0;
  const draw = (now: number) => {
    request = requestAnimationFrame(draw);
    const passed = before === 0 ? 0 : Math.min(0.1, (now - before) / 1000);
    before = now;
    if (!still.matches) seconds += passed;
    try {
      for (const column of host.columns) column.visible = true;
      example.frame(seconds);
      stage.controls.update();
      stage.begin(FINENESS[0]);
      drawColumns(host);
      stage.end();
      section.dataset.frames = String(Number(section.dataset.frames ?? 0) + 1);
    } catch (error) {
      cancelAnimationFrame(request);
      host.fail(error);
    }
  };
  const resize = new ResizeObserver(() => stage.resize(picture.clientWidth, picture.clientHeight));
  resize.observe(picture);
  stage.resize(picture.clientWidth, picture.clientHeight);
  // Out of view nothing is drawn; hidden tabs get no animation frames by themselves.
  new IntersectionObserver(([{ isIntersecting }]) => {
    cancelAnimationFrame(request);
    before = 0;
    if (isIntersecting) request = requestAnimationFrame(draw);
  }).observe(picture);
  addEventListener(
    'pagehide',
    () => {
      cancelAnimationFrame(request);
      example.dispose?.();
    },
    { once: true },
  );
}

/** Each column is the picture of one model. */
function drawColumns({ stage, columns, picture }: LiveHost): void {
  const { clientWidth, clientHeight: height } = picture;
  const count = Math.max(1, columns.length);
  for (let k = 0; k < count; k++) {
    columns.forEach((column, other) => {
      column.visible = other === k;
    });
    const [x, end] = [k, k + 1].map((column) => Math.round((column * clientWidth) / count));
    const region = { x, y: 0, width: end - x, height };
    stage.draw(region, region);
  }
}

/** `navigator.gpu` may be there without a device behind it. */
async function hasWebGpu(): Promise<boolean> {
  const { gpu } = navigator as { gpu?: { requestAdapter(): Promise<unknown> } };
  if (new URLSearchParams(location.search).get('renderer') === 'webgl') return false;
  try {
    return Boolean(await gpu?.requestAdapter());
  } catch {
    return false;
  }
}
