/** Pictures and films of the viewport as it is shown. */
import type { Store } from '../store/store.ts';
import type { Viewport } from './viewport.ts';

export async function capturePng(viewport: Viewport): Promise<Blob> {
  // Drawn and read in one task: the canvas keeps a picture no longer than that.
  viewport.draw();
  const canvas = viewport.stage.renderer.domElement as HTMLCanvasElement;
  return new Promise((done, fail) => {
    canvas.toBlob(
      (blob) => (blob ? done(blob) : fail(new Error('the browser gave no picture; try again'))),
      'image/png',
    );
  });
}

/** One pass over all frames, from the first, at the speed that is set. */
export async function captureWebm(viewport: Viewport, store: Store): Promise<Blob> {
  const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((known) =>
    globalThis.MediaRecorder?.isTypeSupported(known),
  );
  if (type === undefined) throw new Error('this browser does not record WebM; use Chromium or Firefox, or save a PNG');
  const before = store.state.view;
  const canvas = viewport.stage.renderer.domElement as HTMLCanvasElement;
  const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: type, videoBitsPerSecond: 8_000_000 });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise<void>((done) => {
    recorder.onstop = () => done();
  });
  store.setView({ frame: 0, loop: false, playing: false });
  recorder.start();
  const ended = playingEnds(store);
  store.setView({ playing: true });
  await ended;
  recorder.stop();
  await stopped;
  store.setView({ loop: before.loop, playing: before.playing, frame: before.frame });
  return new Blob(parts, { type: 'video/webm' });
}

/** Resolves when what begins to play now has ended. */
function playingEnds(store: Store): Promise<void> {
  return new Promise((done) => {
    const leave = store.subscribe(({ view }) => {
      if (view.playing) return;
      leave();
      done();
    });
  });
}
