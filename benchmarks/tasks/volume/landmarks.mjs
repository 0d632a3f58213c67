/** Where joints lie in the measured characters, found by eye on front and side views. */

/**
 * Joints of a CMU skeleton.
 *
 * @type {Record<string, [number, number, number]>}
 */
export const ARMADILLO = {
  Hips: [0, -0.1, -0.085],
  LeftUpLeg: [0.12, -0.14, -0.085],
  LeftLeg: [0.2, -0.295, -0.05],
  LeftFoot: [0.196, -0.48, -0.1],
  LeftToeBase: [0.26, -0.54, -0.04],
  RightUpLeg: [-0.11, -0.14, -0.085],
  RightLeg: [-0.173, -0.3, -0.06],
  RightFoot: [-0.158, -0.48, -0.145],
  RightToeBase: [-0.22, -0.54, -0.05],
  Spine: [0, 0.04, -0.08],
  Spine1: [0, 0.18, -0.04],
  Neck1: [0, 0.21, 0.06],
  Head: [0, 0.24, 0.13],
  LeftArm: [0.16, 0.165, -0.02],
  LeftForeArm: [0.29, 0.145, 0.06],
  LeftHand: [0.355, 0.22, 0.22],
  LeftHandIndex1: [0.36, 0.24, 0.3],
  RightArm: [-0.16, 0.165, -0.05],
  RightForeArm: [-0.3, 0.145, 0.03],
  RightHand: [-0.38, 0.26, 0.14],
  RightHandIndex1: [-0.38, 0.31, 0.21],
};

/**
 * The same; she looks along +x.
 *
 * @type {Record<string, [number, number, number]>}
 */
export const SAMBA = {
  Hips: [0.44, 0.98, -0.04],
  LeftUpLeg: [0.43, 0.9, -0.115],
  LeftLeg: [0.39, 0.5, -0.128],
  LeftFoot: [0.36, 0.1, -0.11],
  LeftToeBase: [0.47, 0.045, -0.137],
  RightUpLeg: [0.42, 0.9, 0.035],
  RightLeg: [0.38, 0.5, 0.02],
  RightFoot: [0.36, 0.1, 0],
  RightToeBase: [0.47, 0.045, 0.045],
  Spine: [0.46, 1.13, -0.03],
  Spine1: [0.41, 1.39, -0.03],
  Neck1: [0.42, 1.49, -0.035],
  Head: [0.44, 1.58, -0.035],
  LeftArm: [0.42, 1.39, -0.2],
  LeftForeArm: [0.43, 1.164, -0.32],
  LeftHand: [0.54, 0.946, -0.36],
  LeftHandIndex1: [0.56, 0.87, -0.36],
  RightArm: [0.4, 1.39, 0.145],
  RightForeArm: [0.355, 1.164, 0.258],
  RightHand: [0.455, 0.95, 0.314],
  RightHandIndex1: [0.48, 0.86, 0.32],
};

/** Joints of a hand, each finger from its knuckle to its tip. */
export const HAND = {
  wrist: [-0.01, 0.1, 0.034],
  fingers: {
    thumb: [
      [-0.227, 0.333, 0.11],
      [-0.29, 0.42, 0.133],
      [-0.34, 0.485, 0.143],
      [-0.38, 0.535, 0.14],
    ],
    index: [
      [-0.12, 0.556, 0.06],
      [-0.125, 0.68, 0.053],
      [-0.124, 0.79, 0.058],
      [-0.124, 0.86, 0.058],
    ],
    middle: [
      [0, 0.573, 0.054],
      [0.02, 0.7, 0.048],
      [0.035, 0.82, 0.054],
      [0.045, 0.91, 0.048],
    ],
    ring: [
      [0.08, 0.54, 0.067],
      [0.115, 0.65, 0.062],
      [0.145, 0.75, 0.067],
      [0.168, 0.83, 0.063],
    ],
    little: [
      [0.153, 0.467, 0.096],
      [0.21, 0.545, 0.095],
      [0.255, 0.61, 0.103],
      [0.293, 0.66, 0.107],
    ],
  },
};
