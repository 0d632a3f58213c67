/** Finds a body in pictures, one after the other, beside the page. Its files are the studio's own. */

import { PoseLandmarker } from '@mediapipe/tasks-vision';
import { setLandmarks } from '@pelt/io';
import { JOINT_COUNT, type TrackerAnswer, type TrackerOrder } from './protocol.ts';

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<TrackerOrder>) => void) | null;
  postMessage(message: TrackerAnswer, transfer?: Transferable[]): void;
  console: Console;
};

// The tracker tells its makers what it does, at every start; nothing of it concerns who uses it. Failures are thrown.
scope.console = { ...console, log() {}, info() {}, warn() {}, error() {} } as Console;

let landmarker: PoseLandmarker | undefined;

scope.onmessage = ({ data }) => {
  answer(data).catch((error: unknown) => {
    scope.postMessage({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  });
};

async function answer(order: TrackerOrder): Promise<void> {
  if (order.type === 'open') {
    const file = (name: string) => new URL(name, order.folder).href;
    landmarker = await PoseLandmarker.createFromOptions(
      { wasmLoaderPath: file('vision.js'), wasmBinaryPath: file('vision.wasm') },
      { baseOptions: { modelAssetPath: file('pose.task'), delegate: 'CPU' }, runningMode: 'VIDEO' },
    );
    scope.postMessage({ type: 'opened' });
    return;
  }
  if (!landmarker) throw new Error('the tracker is not open');
  const { bitmap, milliseconds } = order;
  const { landmarks, worldLandmarks } = landmarker.detectForVideo(bitmap, milliseconds);
  bitmap.close();
  const joints = new Float32Array(3 * JOINT_COUNT);
  const confidence = new Float32Array(JOINT_COUNT);
  const [seen] = landmarks;
  const picture = seen && Float32Array.from(seen.flatMap(({ x, y }) => [x, y]));
  if (worldLandmarks[0]) setLandmarks(worldLandmarks[0], joints, confidence);
  scope.postMessage({ type: 'tracked', frame: { time: milliseconds / 1000, joints, confidence, picture } });
}
