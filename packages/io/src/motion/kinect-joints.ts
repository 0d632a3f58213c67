/**
 * The joints of the Kinect sensors. The first sensor's twenty come in two orders: that of Microsoft's SDK, and that of
 * the skeletons published with Li, Zhang, Liu. Action recognition based on a bag of 3D points. 2010 (MSR Action3D).
 */
const side = (prefix: string, names: readonly string[]) => names.map((name) => prefix + name);
const ARM = ['Shoulder', 'Elbow', 'Wrist', 'Hand'];
const LEG = ['Hip', 'Knee', 'Ankle', 'Toes'];

export const KINECT_V1_SDK: readonly string[] = [
  'hips',
  'spine',
  'neck',
  'head',
  ...side('left', ARM),
  ...side('right', ARM),
  ...side('left', LEG),
  ...side('right', LEG),
];

export const KINECT_V1_ACTION3D: readonly string[] = [
  'leftShoulder',
  'rightShoulder',
  'neck',
  'spine',
  'leftHip',
  'rightHip',
  'hips',
  'leftElbow',
  'rightElbow',
  'leftWrist',
  'rightWrist',
  'leftHand',
  'rightHand',
  'leftKnee',
  'rightKnee',
  'leftAnkle',
  'rightAnkle',
  'leftToes',
  'rightToes',
  'head',
];

export const KINECT_V2: readonly string[] = [
  'hips',
  'spine',
  'neck',
  'head',
  ...side('left', ARM),
  ...side('right', ARM),
  ...side('left', LEG),
  ...side('right', LEG),
  'chest',
  'leftHandTip',
  'leftThumb',
  'rightHandTip',
  'rightThumb',
];

/** Joints that are next to each other in a body: in the right order of joints their distances are short. */
const NEIGHBOURS: readonly (readonly [string, string])[] = [
  ['hips', 'spine'],
  ['spine', 'neck'],
  ['neck', 'head'],
  ...['left', 'right'].flatMap((prefix): [string, string][] => [
    ['neck', `${prefix}Shoulder`],
    [`${prefix}Shoulder`, `${prefix}Elbow`],
    [`${prefix}Elbow`, `${prefix}Wrist`],
    [`${prefix}Wrist`, `${prefix}Hand`],
    ['hips', `${prefix}Hip`],
    [`${prefix}Hip`, `${prefix}Knee`],
    [`${prefix}Knee`, `${prefix}Ankle`],
    [`${prefix}Ankle`, `${prefix}Toes`],
  ]),
];

/**
 * Of several orders, the one in which the body is smallest.
 *
 * @param positions  S × J × 3
 */
export function likeliestOrder(positions: Float32Array, orders: readonly (readonly string[])[]): readonly string[] {
  const lengthOf = (order: readonly string[]) => {
    const J = order.length;
    let total = 0;
    for (const [a, b] of NEIGHBOURS) {
      const [i, j] = [order.indexOf(a), order.indexOf(b)];
      for (let at = 0; at < positions.length; at += 3 * J) {
        const [p, q] = [at + 3 * i, at + 3 * j];
        total += Math.hypot(
          positions[q] - positions[p],
          positions[q + 1] - positions[p + 1],
          positions[q + 2] - positions[p + 2],
        );
      }
    }
    return total;
  };
  return orders.reduce((best, order) => (lengthOf(order) < lengthOf(best) ? order : best));
}
