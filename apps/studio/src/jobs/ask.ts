/** The page's side of a worker: an order out, its answer as a promise, and an end to both. */
import type { SliderClip } from '@pelt/model';
import type { StoredFile } from '../store/library.ts';
import type { BoundBody } from './bind-body.ts';
import type { CaptureSkeleton } from './capture-skeleton.ts';
import type { JointClip } from './joint-clips.ts';
import type { OpenedFace } from './open-face.ts';
import type { Answer, Inspection, Opened, Order, PuppetData, Ran, Recognised } from './protocol.ts';
import type { Rehearsal } from './rehearse.ts';

export interface Watcher {
  readonly onProgress?: (progress: (Answer & { type: 'progress' })['progress']) => void;
  readonly onSnapshot?: (snapshot: (Answer & { type: 'snapshot' })['snapshot']) => void;
  readonly onWarning?: (message: string) => void;
}

/** The work was stopped by whoever asked for it. */
export class Stopped extends Error {}

interface Results {
  readonly inspect: Inspection;
  readonly recognise: readonly Recognised[];
  readonly open: Opened;
  readonly run: Ran;
  readonly rig: Ran;
  readonly bind: BoundBody;
  readonly capture: CaptureSkeleton;
  readonly embed: CaptureSkeleton;
  readonly clips: readonly JointClip[];
  readonly animate: StoredFile;
  readonly puppet: PuppetData;
  readonly rehearse: Rehearsal | undefined;
  readonly face: OpenedFace;
  readonly recording: SliderClip;
}

type Result<O extends Order> = Results[O['type']];

/**
 * Asks a new worker. Ending the worker is how it is cancelled: it takes its threads along, and nothing has to be shared
 * for that, so that it also works on pages without cross-origin isolation.
 */
export function ask<O extends Order>(order: O, watcher: Watcher = {}, signal?: AbortSignal): Promise<Result<O>> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Result<O>>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Stopped('cancelled')));
    worker.onerror = (event) => reject(new Error(event.message || 'the worker did not start; reload the page'));
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      switch (data.type) {
        case 'progress':
          return watcher.onProgress?.(data.progress);
        case 'snapshot':
          return watcher.onSnapshot?.(data.snapshot);
        case 'warning':
          return watcher.onWarning?.(data.message);
        case 'inspected':
          return resolve(data.inspection as Result<O>);
        case 'recognised':
          return resolve(data.kinds as Result<O>);
        case 'opened':
          return resolve(data.opened as Result<O>);
        case 'ran':
          return resolve(data.ran as Result<O>);
        case 'bound':
          return resolve(data.bound as Result<O>);
        case 'captured':
          return resolve(data.skeleton as Result<O>);
        case 'clips':
          return resolve(data.clips as Result<O>);
        case 'animated':
          return resolve(data.file as Result<O>);
        case 'puppet':
          return resolve(data.data as Result<O>);
        case 'rehearsed':
          return resolve(data.rehearsal as Result<O>);
        case 'face':
          return resolve(data.face as Result<O>);
        case 'recording':
          return resolve(data.clip as Result<O>);
        case 'failed':
          return reject(new Error(data.message));
      }
    };
    worker.postMessage(order);
  }).finally(() => worker.terminate());
}
