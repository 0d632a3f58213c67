/** The 33 landmarks of MediaPipe Pose, in order; those at the places of a body's joints bear their names. */
export const MEDIAPIPE_JOINTS: readonly string[] = [
  'nose',
  'leftEyeInner',
  'leftEye',
  'leftEyeOuter',
  'rightEyeInner',
  'rightEye',
  'rightEyeOuter',
  'leftEar',
  'rightEar',
  'mouthLeft',
  'mouthRight',
  ...['Shoulder', 'Elbow', 'Wrist', 'Pinky', 'Index', 'Thumb', 'Hip', 'Knee', 'Ankle', 'Heel', 'Toes'].flatMap(
    (name) => [`left${name}`, `right${name}`],
  ),
];
