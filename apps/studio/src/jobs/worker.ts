/** One order per worker: it answers and is ended. Solvers, readers and writers load here, never in the page. */

import type { OpenedAnimation } from '@pelt/jobs';
import {
  BlobFiles,
  type JobHost,
  MemoryOutputs,
  OpenedFiles,
  openAnimation,
  openMatchedRig,
  openShapes,
  runJob,
} from '@pelt/jobs';
import { InputError, type MeshSequence, PeltError, type Progress } from '@pelt/model';
import type { StoredFile } from '../store/library.ts';
import { faceKind, glbParts } from './glb-parts.ts';
import { inspect } from './inspect.ts';
import { measure } from './measure.ts';
import type { AnimationFiles, Answer, Measured, Order } from './protocol.ts';

/** How often the state of a fit and its progress are sent: copying and drawing them take time from the fit. */
const SNAPSHOT_MS = 1000;
const PROGRESS_MS = 100;

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<Order>) => void) | null;
  postMessage(message: Answer, transfer?: Transferable[]): void;
};

scope.onmessage = ({ data }) => {
  answer(data).catch((error: unknown) => scope.postMessage({ type: 'failed', message: messageOf(error) }));
};

async function answer(order: Order): Promise<void> {
  switch (order.type) {
    case 'inspect':
      return scope.postMessage({ type: 'inspected', inspection: inspect(filesOf(order.files)) });
    case 'recognise': {
      const { recognise } = await import('./recognise.ts');
      const kinds = await Promise.all(order.files.map(recognise));
      return scope.postMessage({ type: 'recognised', kinds });
    }
    case 'open': {
      const animation = await read(order.animation);
      const { sequence, label, skinned } = animation;
      const clips = animation.clips.map(({ name, times }) => ({ name, frames: times.length }));
      const rigs: Measured[] = [];
      const own = order.animation.files.find(({ path }) => path === order.animation.inputs[0]);
      // A rigged file is its own result.
      if (order.rigs.length === 0 && skinned && own && !order.bare) rigs.push(await measured(own, animation));
      for (const rig of order.rigs) rigs.push(await measured(rig, animation));
      const face = own && faceKind(filesOf([own]).read(own.path));
      return scope.postMessage({ type: 'opened', opened: { sequence, label, clips, rigs, face } }, arraysOf(sequence));
    }
    case 'bind': {
      const { bindBody } = await import('./bind-body.ts');
      const onProgress = (progress: Progress) => scope.postMessage({ type: 'progress', progress });
      const { rig, constraints, threads, solid } = order;
      const bound = await bindBody(filesOf([rig]).read(rig.path), constraints, threads, { onProgress }, solid);
      return scope.postMessage({ type: 'bound', bound });
    }
    case 'rig': {
      const { rigBody } = await import('./bind-body.ts');
      const onProgress = (progress: Progress) => scope.postMessage({ type: 'progress', progress });
      const animation = await read(order.animation);
      const { sequence } = animation;
      const motion = order.capture && (await readCapture(order.capture));
      const bytes = await rigBody(sequence.rest, order.joints, sequence.times, order.threads, { onProgress }, motion);
      const file = { path: order.path, blob: new Blob([bytes]) };
      const ran = { report: {}, written: [file], measured: await measured(file, animation) };
      return scope.postMessage({ type: 'ran', ran });
    }
    case 'clips': {
      const { readJointClips } = await import('./joint-clips.ts');
      const clips = await readJointClips(filesOf([order.file]).read(order.file.path), order.fps);
      const buffers = clips.map(({ transforms }) => transforms.buffer as ArrayBuffer);
      return scope.postMessage({ type: 'clips', clips }, buffers);
    }
    case 'animate': {
      const { writeJointClip } = await import('./joint-clips.ts');
      const bytes = await writeJointClip(filesOf([order.file]).read(order.file.path), order.clip);
      return scope.postMessage({ type: 'animated', file: { path: order.path, blob: new Blob([bytes]) } });
    }
    case 'capture': {
      const { captureSkeleton } = await import('./capture-skeleton.ts');
      const { file, landmarks } = order;
      const onWarning = (message: string) => scope.postMessage({ type: 'warning', message });
      const skeleton = captureSkeleton(file.path, filesOf([file]).read(file.path), landmarks, onWarning);
      return scope.postMessage({ type: 'captured', skeleton });
    }
    case 'embed': {
      const { embeddedJoints } = await import('./embedded-joints.ts');
      const onProgress = (progress: Progress) => scope.postMessage({ type: 'progress', progress });
      const skeleton = await embeddedJoints(order.mesh, order.like, order.threads, { onProgress });
      return scope.postMessage({ type: 'captured', skeleton });
    }
    case 'face': {
      const { openFace } = await import('./open-face.ts');
      const { file, original } = order;
      const shapes = original && (await readShapes(original));
      const face = await openFace(filesOf([file]).read(file.path), shapes);
      return scope.postMessage({ type: 'face', face }, [face.fitted.buffer as ArrayBuffer]);
    }
    case 'recording': {
      const { matchRecording, readFaceRecording } = await import('@pelt/io');
      const { path } = order.file;
      const onWarning = (message: string) => scope.postMessage({ type: 'warning', message });
      const { clip, missing } = matchRecording(
        readFaceRecording(filesOf([order.file]).read(path), { name: path, onWarning }),
        order.names,
      );
      if (missing.length === order.names.length) throw new InputError(`'${path}' has none of the sliders of this face`);
      return scope.postMessage({ type: 'recording', clip });
    }
    case 'rehearse': {
      const { rehearse } = await import('./rehearse.ts');
      const given = Object.values(order.files).filter((file) => file !== undefined);
      const onWarning = (message: string) => scope.postMessage({ type: 'warning', message });
      const rehearsal = await rehearse(order.files, order.options, order.fps, filesOf(given), onWarning);
      return scope.postMessage({ type: 'rehearsed', rehearsal });
    }
    case 'puppet': {
      const { readPuppetData } = await import('./puppet-data.ts');
      const given = Object.values(order.files).filter((file) => file !== undefined);
      const onWarning = (message: string) => scope.postMessage({ type: 'warning', message });
      return scope.postMessage({ type: 'puppet', data: await readPuppetData(order.files, filesOf(given), onWarning) });
    }
    case 'run':
      return run(order);
  }
}

async function run({ request, files, threads, measure: animation }: Order & { type: 'run' }): Promise<void> {
  const outputs = new MemoryOutputs();
  const opened = new OpenedFiles();
  let [shownAt, toldAt] = [performance.now(), Number.NEGATIVE_INFINITY];
  const host: JobHost = {
    files: filesOf(files),
    opened,
    outputs,
    threads,
    onWarning: (message) => scope.postMessage({ type: 'warning', message }),
    onProgress: (progress) => {
      const now = performance.now();
      if (now - toldAt < PROGRESS_MS) return;
      toldAt = now;
      scope.postMessage({ type: 'progress', progress });
    },
    onSnapshot: (take) => {
      if (performance.now() - shownAt < SNAPSHOT_MS) return;
      scope.postMessage({ type: 'snapshot', snapshot: take() });
      shownAt = performance.now();
    },
  };
  const report = await runJob(request, host);
  const written = Array.from(outputs.files, ([path, bytes]) => ({ path, blob: new Blob([bytes as BlobPart]) }));
  const [first] = written;
  const rig =
    animation &&
    first &&
    (await measured(first, await read(animation, areSame(files, animation.files) ? opened : undefined)));
  scope.postMessage({ type: 'ran', ran: { report, written, measured: rig } });
}

async function readCapture({ file, landmarks }: NonNullable<(Order & { type: 'rig' })['capture']>) {
  const { captureClip } = await import('./joint-clips.ts');
  return captureClip({ name: file.path, bytes: filesOf([file]).read(file.path) }, landmarks);
}

/** The blend shapes of a face; what is worth a warning was said when it was fitted. */
function readShapes({ files, inputs, choices }: AnimationFiles) {
  return openShapes(inputs, { rest: choices.rest }, { files: filesOf(files) });
}

function read({ files, inputs, choices }: AnimationFiles, opened?: OpenedFiles) {
  const onWarning = (message: string) => scope.postMessage({ type: 'warning', message });
  return openAnimation(inputs, choices, { files: filesOf(files), onWarning, ...(opened && { opened }) });
}

/** Whether a path means one file in both, so that what was opened for the one serves the other. */
function areSame(a: readonly StoredFile[], b: readonly StoredFile[]): boolean {
  return a.every(({ path, blob }) => b.every((other) => other.path !== path || other.blob === blob));
}

async function measured(file: StoredFile, animation: OpenedAnimation): Promise<Measured> {
  const played = await openMatchedRig(file.path, animation, { files: filesOf([file]) });
  const bytes = filesOf([file]).read(file.path);
  return { played, parts: glbParts(bytes), ...measure(animation.sequence, played) };
}

function filesOf(files: readonly StoredFile[]): BlobFiles {
  return new BlobFiles(files.map(({ path, blob }) => [path, blob] as const));
}

/** The largest arrays go over without a copy: the worker ends here anyway. */
function arraysOf({ frames }: MeshSequence): Transferable[] {
  return [frames.buffer as ArrayBuffer];
}

function messageOf(error: unknown): string {
  if (error instanceof PeltError) return error.message;
  const text = error instanceof Error ? error.message : String(error);
  if (/allocation failed|invalid array length|out of memory/i.test(text)) {
    return 'the browser has no memory left for this; use fewer frames or a smaller mesh';
  }
  return `a fault of pelt itself: ${text}; reload the page, and report what you did`;
}
