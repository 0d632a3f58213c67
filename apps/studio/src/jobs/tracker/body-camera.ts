/** The camera with a tracker behind it: its picture, and the body in it frame by frame. Nothing of it leaves the page. */
import type { PerformerFrame } from '../../store/performer.ts';
import type { TrackerAnswer, TrackerOrder } from './protocol.ts';

const PICTURE = { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 30 } };

/** Beside the page, or given by the server from a package of its own. */
const TRACKER = new URL('./tracker/', document.baseURI);

export class BodyCamera {
  readonly video: HTMLVideoElement;
  readonly #stream: MediaStream;
  readonly #worker: Worker;
  #busy = true;
  #closed = false;
  #last = 0;

  /**
   * @param hands    whether fingers are tracked, too
   * @param onFrame  told of every frame that the tracker has looked at
   * @param onError  told when the tracker or the camera ends
   */
  static async open(
    hands: boolean,
    onFrame: (frame: PerformerFrame) => void,
    onError: (error: Error) => void,
  ): Promise<BodyCamera> {
    if (!navigator.mediaDevices) {
      throw new Error('this page may not use a camera: open it on this machine (127.0.0.1) or by https');
    }
    const found = await fetch(new URL('vision.wasm', TRACKER), { method: 'HEAD' });
    if (!found.ok) {
      throw new Error(
        'the body tracker is not installed: npm install --global @pelt/tracker, and start pelt studio again',
      );
    }
    const stream = await navigator.mediaDevices.getUserMedia({ video: PICTURE, audio: false }).catch((error: Error) => {
      throw new Error(CAMERA_ERRORS[error.name] ?? `the camera does not open: ${error.message}`);
    });
    const camera = new BodyCamera(stream, onFrame, onError);
    try {
      await camera.#start(hands);
    } catch (error) {
      camera.close();
      throw error;
    }
    return camera;
  }

  private constructor(stream: MediaStream, onFrame: (frame: PerformerFrame) => void, onError: (error: Error) => void) {
    this.#stream = stream;
    this.video = document.createElement('video');
    Object.assign(this.video, { srcObject: stream, muted: true, playsInline: true });
    this.#worker = new Worker(new URL('./tracker-worker.ts', import.meta.url), { type: 'module' });
    this.#worker.onerror = (event) => onError(new Error(`the body tracker failed: ${event.message}; reload the page`));
    this.#worker.onmessage = ({ data }: MessageEvent<TrackerAnswer>) => {
      this.#busy = false;
      if (data.type === 'failed') onError(new Error(`the body tracker failed: ${data.message}; reload the page`));
      else if (data.type === 'tracked' && !this.#closed) onFrame(data.frame);
    };
    stream.getVideoTracks()[0]?.addEventListener('ended', () => onError(new Error('the camera was taken away')));
  }

  close(): void {
    this.#closed = true;
    this.#worker.terminate();
    for (const track of this.#stream.getTracks()) track.stop();
    this.video.srcObject = null;
  }

  async #start(hands: boolean): Promise<void> {
    this.#post({ type: 'open', folder: TRACKER.href, hands });
    await this.video.play();
    this.video.requestVideoFrameCallback(() => this.#look());
  }

  /** Hands the newest picture to the tracker where it has time; the others are passed over. */
  async #look(): Promise<void> {
    if (this.#closed) return;
    this.video.requestVideoFrameCallback(() => void this.#look());
    if (this.#busy) return;
    this.#busy = true;
    const bitmap = await createImageBitmap(this.video);
    // Rising, as the tracker wants it, even where the clock of a camera stands still.
    this.#last = Math.max(this.#last + 1, performance.now());
    this.#post({ type: 'track', bitmap, milliseconds: this.#last }, [bitmap]);
  }

  #post(order: TrackerOrder, transfer: Transferable[] = []): void {
    this.#worker.postMessage(order, transfer);
  }
}

const CAMERA_ERRORS: Readonly<Record<string, string>> = {
  NotAllowedError: 'the camera was not allowed; allow it beside the address, and start it again',
  NotFoundError: 'there is no camera here; connect one, or perform from a motion file',
  NotReadableError: 'the camera is used by another program; close that, and start it again',
};
