/** Finds a body in pictures, one after the other, beside the page. Its files are the studio's own. */

import {
  HandLandmarker,
  type HandLandmarkerResult,
  type NormalizedLandmark,
  PoseLandmarker,
} from '@mediapipe/tasks-vision';
import { HAND_JOINTS, MEDIAPIPE_JOINTS, setHandLandmarks, setLandmarks } from '@pelt/io';
import { handsBySide } from './hands-by-side.ts';
import type { TrackerAnswer, TrackerOrder } from './protocol.ts';

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<TrackerOrder>) => void) | null;
  postMessage(message: TrackerAnswer, transfer?: Transferable[]): void;
  console: Console;
};

// The tracker tells its makers what it does, at every start; nothing of it concerns who uses it. Failures are thrown.
scope.console = { ...console, log() {}, info() {}, warn() {}, error() {} } as Console;

let landmarker: PoseLandmarker | undefined;
let fingers: HandLandmarker | undefined;

scope.onmessage = ({ data }) => {
  answer(data).catch((error: unknown) => {
    scope.postMessage({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  });
};

async function answer(order: TrackerOrder): Promise<void> {
  if (order.type === 'open') {
    const file = (name: string) => new URL(name, order.folder).href;
    const files = { wasmLoaderPath: file('vision.js'), wasmBinaryPath: file('vision.wasm') };
    const optionsOf = (model: string) => ({
      baseOptions: { modelAssetPath: file(model), delegate: 'CPU' },
      runningMode: 'VIDEO',
    });
    landmarker = await PoseLandmarker.createFromOptions(files, optionsOf('pose.task'));
    if (order.hands) {
      // The loader gives what it made once, and runs once for each address.
      const again = { ...files, wasmLoaderPath: `${files.wasmLoaderPath}?hands` };
      fingers = await HandLandmarker.createFromOptions(again, { ...optionsOf('hands.task'), numHands: 2 });
    }
    scope.postMessage({ type: 'opened' });
    return;
  }
  if (!landmarker) throw new Error('the tracker is not open');
  const { bitmap, milliseconds } = order;
  const { landmarks, worldLandmarks } = landmarker.detectForVideo(bitmap, milliseconds);
  const hands = fingers?.detectForVideo(bitmap, milliseconds);
  bitmap.close();
  const body = MEDIAPIPE_JOINTS.length;
  const J = body + (fingers ? HAND_JOINTS.length : 0);
  const joints = new Float32Array(3 * J);
  const confidence = new Float32Array(J);
  const picture = landmarks[0] && new Float32Array(2 * J);
  landmarks[0]?.forEach(({ x, y }, j) => {
    picture.set([x, y], 2 * j);
  });
  if (worldLandmarks[0]) setLandmarks(worldLandmarks[0], joints.subarray(0, 3 * body), confidence.subarray(0, body));
  if (hands && landmarks[0] && worldLandmarks[0]) hangHands(landmarks[0], hands, { joints, confidence, picture });
  scope.postMessage({ type: 'tracked', frame: { time: milliseconds / 1000, joints, confidence, picture } });
}

interface Joints {
  readonly joints: Float32Array;
  readonly confidence: Float32Array;
  readonly picture: Float32Array;
}

/** The hands that are seen, at the wrists that they belong to. */
function hangHands(
  body: readonly NormalizedLandmark[],
  { landmarks, worldLandmarks }: HandLandmarkerResult,
  { joints, confidence, picture }: Joints,
): void {
  const wrist = (side: 'left' | 'right') => body[MEDIAPIPE_JOINTS.indexOf(`${side}Wrist`)];
  const found = handsBySide(
    landmarks.map(([point]) => point),
    { left: wrist('left'), right: wrist('right') },
  );
  for (const side of ['left', 'right'] as const) {
    const hand = found[side];
    setHandLandmarks(side, hand === undefined ? undefined : worldLandmarks[hand], joints, confidence);
    if (hand === undefined) continue;
    const from = 2 * (MEDIAPIPE_JOINTS.length + (side === 'left' ? 0 : HAND_JOINTS.length / 2));
    landmarks[hand].slice(1).forEach(({ x, y }, k) => {
      picture.set([x, y], from + 2 * k);
    });
  }
}
