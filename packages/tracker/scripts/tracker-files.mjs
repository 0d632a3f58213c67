// @ts-check
/**
 * What the body tracker needs beside the page: its WebAssembly, and models of body and hands made of those in npm's
 * @mediapipe/pose and @mediapipe/hands, since no bundle of the newer tasks is published there. Run as a program, it writes the files of the package.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licenceTexts } from '../../../scripts/packages/licences.mjs';
import { withMetadata } from './model-metadata.mjs';
import { storedZip } from './stored-zip.mjs';

const require = createRequire(import.meta.url);

/** Packages whose files are copied, for the list of licences. */
const TRACKER_FOLDERS = [
  dirname(require.resolve('@mediapipe/pose/package.json')),
  dirname(require.resolve('@mediapipe/hands/package.json')),
  dirname(require.resolve('@mediapipe/tasks-vision')),
];
const [POSE, HANDS, TASKS] = TRACKER_FOLDERS;

/** Names that the task looks for in its bundle, and what its graph makes of pixels: −1 to 1, and 0 to 1. */
const DETECTOR = { name: 'pose_detector.tflite', pixels: { mean: 127.5, deviation: 127.5 } };
const LANDMARKS = { name: 'pose_landmarks_detector.tflite', pixels: { mean: 0, deviation: 255 } };
const PALMS = { name: 'hand_detector.tflite', pixels: LANDMARKS.pixels };
const FINGERS = { name: 'hand_landmarks_detector.tflite', pixels: LANDMARKS.pixels };

/** @returns {Map<string, Uint8Array | string>} by name */
export function trackerFiles() {
  const from = (/** @type {string} */ folder, /** @type {string} */ path) => readFileSync(join(folder, path));
  // The archive of the older package holds the detector alone.
  const detector = withMetadata(from(POSE, 'pose_solution_packed_assets.data'), DETECTOR.pixels);
  const landmarks = withMetadata(from(POSE, 'pose_landmark_lite.tflite'), LANDMARKS.pixels);
  const palms = withMetadata(
    packedFile(HANDS, 'hands_solution_packed_assets', 'palm_detection_lite.tflite'),
    PALMS.pixels,
  );
  const fingers = withMetadata(from(HANDS, 'hand_landmark_lite.tflite'), FINGERS.pixels);
  return new Map(
    /** @type {[string, Uint8Array | string][]} */ ([
      [
        'pose.task',
        storedZip([
          [DETECTOR.name, detector],
          [LANDMARKS.name, landmarks],
        ]),
      ],
      [
        'hands.task',
        storedZip([
          [PALMS.name, palms],
          [FINGERS.name, fingers],
        ]),
      ],
      ['vision.js', from(TASKS, 'wasm/vision_wasm_module_internal.js')],
      ['vision.wasm', from(TASKS, 'wasm/vision_wasm_module_internal.wasm')],
      ['LICENSES.txt', licenceTexts(TRACKER_FOLDERS.map((folder) => `${folder}/package.json`))],
    ]),
  );
}

/**
 * One of the files in an archive of the older packages, whose loader says where each begins and ends.
 *
 * @param {string} folder
 * @param {string} archive
 * @param {string} name
 */
function packedFile(folder, archive, name) {
  const loader = readFileSync(join(folder, `${archive}_loader.js`), 'utf8');
  const entry = new RegExp(`/${name.replaceAll('.', '\\.')}", "start": (\\d+), "end": (\\d+)`).exec(loader);
  if (!entry) throw new Error(`'${archive}' has no '${name}'`);
  return readFileSync(join(folder, `${archive}.data`)).subarray(Number(entry[1]), Number(entry[2]));
}

/** @param {string} folder  made where it is missing */
export function writeTracker(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of trackerFiles()) writeFileSync(join(folder, name), content);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  writeTracker(fileURLToPath(new URL('../files/', import.meta.url)));
}
