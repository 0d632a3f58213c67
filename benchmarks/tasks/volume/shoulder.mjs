/** A shoulder, wide at the chest and narrow at the hand: the arm hangs down and is turned, as three kinds of skinning. */
import { openNumerics } from '@pelt/math';
import { bindVolume, createVolumeDeformer, tetrahedralize } from '@pelt/skin';
import { SHOULDER_DEFAULTS, shoulderScene } from '@pelt/testkit';
import { astray, judge, looks, otherSkinning, rivalLooks, smoothnessRows } from './side-by-side.mjs';

const { rings: RINGS, sides: SIDES } = SHOULDER_DEFAULTS;
const DOWN = 90;
const TURNED = 90;

export async function measure(context) {
  const name = `shoulder, ${DOWN}° down, turned by ${TURNED}°`;
  if (!context.wants(name)) return [];
  const { rig } = shoulderScene({ frames: 1 });
  const { mesh, bones } = rig;
  context.log(`shoulder of ${mesh.positions.length / 3} vertices`);
  const numerics = await openNumerics({ threads: 2 });
  try {
    const { mesh: body } = tetrahedralize(mesh);
    const rings = Array.from({ length: RINGS }, (_, r) => Array.from({ length: SIDES }, (_, k) => SIDES * r + k));
    const tips = new Map([[1, [1.2, 0, 0]]]);
    const { skin } = bindVolume({ body, bones }, { tips, constraints: Uint32Array.of(0) }, { numerics });
    const binding = bindVolume({ body, bones }, { tips }, { numerics });
    const subject = { mesh, rings, body, skin, binding };
    const pose = shoulderPose(bones[1].rest, DOWN, TURNED);
    const deformer = createVolumeDeformer({ surface: mesh, bones, binding }, {}, { numerics });
    deformer.deform(pose, new Float32Array(mesh.positions.length));
    const { volume, inverted, section } = judge(subject, deformer.bodyPositions);
    const own = {
      ...looks(subject, deformer.bodyPositions),
      astray: astray(subject, pose, deformer.bodyPositions),
    };
    deformer.dispose();
    return [
      ...otherSkinning(subject, name, pose),
      ...smoothnessRows(name, own, rivalLooks(subject, pose)),
      { case: name, metric: 'volume', value: volume, unit: '% of rest', target: 'value >= 99' },
      { case: name, metric: 'inverted tetrahedra', value: inverted, unit: '', target: 'value <= 0' },
      { case: name, metric: 'smallest cross-section', value: section, unit: '% of rest', target: 'value >= 93' },
    ];
  } finally {
    numerics.close();
  }
}

/** 2 × 12: the chest at rest; the arm turned about its length (x), then lowered about z, both at its joint. */
export function shoulderPose(rest, down, turned) {
  const [a, b] = [down, turned].map((degrees) => (degrees * Math.PI) / 180);
  const [ca, sa, cb, sb] = [Math.cos(a), -Math.sin(a), Math.cos(b), Math.sin(b)];
  const rotation = [
    [ca, -sa * cb, sa * sb],
    [sa, ca * cb, -ca * sb],
    [0, sb, cb],
  ];
  const joint = [rest[3], rest[7], rest[11]];
  const arm = rotation.flatMap((row, r) => [
    ...row,
    joint[r] - row.reduce((sum, value, k) => sum + value * joint[k], 0),
  ]);
  return Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...arm]);
}
