/**
 * Bodies that do not pass through themselves: how deep vertices of forearms, hands, shins and feet are inside the capsules
 * of what they may meet, over recorded motions; and hands that touch.
 */
import { openNumerics } from '@pelt/math';
import {
  capsuleDistance,
  createPuppet,
  deformLinear,
  fitCapsules,
  poseCapsules,
  recogniseHumanoid,
  suggestNeutral,
} from '@pelt/skin';
import { PERFORMER_JOINTS, performerPose } from '@pelt/testkit';
import { play, recordingOf, rigOf } from './follow.mjs';

const CHARACTERS = ['gltf/Soldier.glb', 'rigs/human-male.glb', 'gltf/cryptovoxels.vrm'];
const MOTIONS = [
  ...['08_01', '16_17', '49_06', 'dance', 'jump', 'run', 'walk'].map((name) => `cmu-${name}.bvh`),
  'kinect25-point.csv',
  'kinect25-wave.csv',
  'mediapipe33-a.csv',
];
export const needs = [...CHARACTERS, ...MOTIONS.map((file) => `motion/${file}`)];

/** A frame of ten is looked at; vertices, every fourth. */
const FRAMES_APART = 10;
const VERTICES_APART = 4;
/** Surfaces of hands touch within this, relative to the height: neither apart nor inside each other. */
const TOUCHES = 0.01;

export async function measure(context) {
  const rows = [];
  const numerics = await openNumerics({ threads: 1 });
  for (const file of CHARACTERS) {
    const name = file.split('/')[1].split('.')[0];
    const place = `self-contact, ${name}`;
    if (!context.wants(place)) continue;
    context.log(place);
    const rig = await rigOf(context, file);
    const capsules = fitCapsules(rig, undefined, { numerics });
    const body = new Depths(rig, capsules);
    const [kept, free] = [[], []];
    for (const motionFile of MOTIONS) {
      const motion = recordingOf(context, motionFile);
      const data = { character: rig, performer: motion.joints, neutral: suggestNeutral(motion), camera: motion.camera };
      for (const [out, more] of [
        [kept, { capsules }],
        [free, {}],
      ]) {
        const poses = play(createPuppet({ ...data, ...more }, { delay: 0 }), motion);
        for (let t = 0; t < poses.length; t += FRAMES_APART) out.push(100 * body.deepest(poses[t]));
      }
    }
    const clap = clappingMotion();
    const claps = [{ capsules }, {}].map((more) => {
      const data = { character: rig, performer: clap.joints, neutral: suggestNeutral(clap) };
      return 100 * body.touching(play(createPuppet({ ...data, ...more }, { delay: 0, travel: 0 }), clap), clap);
    });
    const row = (metric, pick, target) => ({
      case: place,
      metric,
      value: pick(kept),
      unit: '% of the height',
      reference: pick(free),
      referenceName: 'without self-contact',
      ...(target && { target }),
    });
    rows.push(
      row('deepest vertex, mean over frames', mean, 'value <= 0.5'),
      row('deepest vertex, 95 in 100 frames below', p95, 'value <= 0.5'),
      row('deepest vertex, largest', (values) => Math.max(...values)),
      {
        case: place,
        metric: 'hands that touch',
        value: claps[0],
        unit: '% of frames',
        reference: claps[1],
        referenceName: 'without self-contact',
        target: 'value >= 90',
      },
    );
  }
  numerics.close?.();
  return rows;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const p95 = (values) => [...values].sort((a, b) => a - b)[Math.floor(0.95 * (values.length - 1))];

class Depths {
  constructor(rig, capsules) {
    this.rig = rig;
    this.capsules = capsules;
    this.posed = new Float64Array(capsules.shapes.length);
    this.normal = new Float64Array(3);
    const { bones, mesh, weights } = rig;
    const ys = mesh.positions.filter((_, k) => k % 3 === 1);
    this.height =
      ys.reduce((high, y) => Math.max(high, y), -Infinity) - ys.reduce((low, y) => Math.min(low, y), Infinity);
    this.humanoid = recogniseHumanoid(bones, rig.name);
    const { arms, legs } = this.humanoid;
    const under = (bone, above) => {
      for (let j = bone; j >= 0; j = bones[j].parent) if (j === above) return true;
      return false;
    };
    const owner = (i) => {
      const row = weights.weights.subarray(i * weights.slots, (i + 1) * weights.slots);
      return weights.bones[i * weights.slots + row.indexOf(Math.max(...row))];
    };
    const all = [...capsules.bones.keys()];
    this.limbs = [...arms, ...legs].map((limb, k) => {
      const vertices = [];
      for (let i = 0; i < mesh.positions.length / 3; i += VERTICES_APART) {
        if (under(owner(i), limb.lower) || (limb.end >= 0 && under(owner(i), limb.end))) vertices.push(i);
      }
      const other = legs[k === 2 ? 1 : 0];
      const met = all.filter((c) => {
        const bone = capsules.bones[c];
        if (under(bone, limb.upper)) return false;
        return k < 2
          ? !under(limb.upper, bone) || [this.humanoid.pelvis, ...this.humanoid.spine].includes(bone)
          : under(bone, other.lower);
      });
      return { vertices, met };
    });
    // What is inside at rest may be.
    poseCapsules(capsules, identity(bones.length), 0, this.posed);
    this.rest = this.limbs.map(({ vertices, met }) =>
      vertices.map((i) => met.map((c) => Math.min(0, this.distance(c, mesh.positions, i)))),
    );
  }

  distance(c, positions, i) {
    return capsuleDistance(this.posed, c, positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], this.normal);
  }

  /** Of all vertices, relative to the height. */
  deepest(pose) {
    const positions = deformLinear(
      this.rig.mesh.positions,
      this.rig.weights,
      pose,
      new Float32Array(this.rig.mesh.positions.length),
    );
    poseCapsules(this.capsules, pose, 0, this.posed);
    let deepest = 0;
    this.limbs.forEach(({ vertices, met }, k) => {
      vertices.forEach((i, v) => {
        met.forEach((c, m) => {
          deepest = Math.max(deepest, this.rest[k][v][m] - this.distance(c, positions, i));
        });
      });
    });
    return deepest / this.height;
  }

  /** Share of the frames in which the performer's hands touch, in which the character's do. */
  touching(poses, { touches }) {
    const { bones } = this.rig;
    const under = (bone, above) => bone >= 0 && (bone === above || under(bones[bone].parent, above));
    const capsules = [...this.capsules.bones.keys()];
    const hands = this.humanoid.arms.map(({ end }) => capsules.filter((c) => under(this.capsules.bones[c], end)));
    let [count, met] = [0, 0];
    poses.forEach((pose, t) => {
      if (!touches[t]) return;
      count++;
      poseCapsules(this.capsules, pose, 0, this.posed);
      const gaps = hands[0].flatMap((a) => hands[1].map((b) => this.gapOf(a, b)));
      if (Math.abs(Math.min(...gaps)) <= TOUCHES * this.height) met++;
    });
    return met / count;
  }

  /** The distance of the surfaces of two capsules. */
  gapOf(first, second) {
    const a = this.posed.subarray(7 * first, 7 * first + 7);
    let gap = Infinity;
    for (let s = 0; s <= 20; s++) {
      const [x, y, z] = [0, 1, 2].map((k) => a[k] + (s / 20) * (a[k + 3] - a[k]));
      gap = Math.min(gap, capsuleDistance(this.posed, second, x, y, z, this.normal) - a[6]);
    }
    return gap;
  }
}

function identity(bones) {
  return Float64Array.from({ length: 12 * bones }, (_, k) => Number((k % 12) % 5 === 0));
}

/** Two seconds of standing and six of clapping: hands meet before the chest, every second. */
function clappingMotion() {
  const fps = 30;
  const poses = [];
  const touches = [];
  for (let t = 0; t < 8 * fps; t++) {
    const time = t / fps;
    const apart = time < 2 ? undefined : 0.1 + 0.5 * Math.max(0, Math.cos(2 * Math.PI * time));
    poses.push(apart === undefined ? performerPose() : handsApart(apart));
    touches.push(apart === 0.1);
  }
  return {
    name: 'clapping',
    joints: PERFORMER_JOINTS,
    positions: Float32Array.from(poses.flatMap((pose) => [...pose])),
    confidence: new Float32Array(poses.length * PERFORMER_JOINTS.length).fill(1),
    times: Float64Array.from(poses, (_, t) => t / fps),
    touches,
  };
}

/** The performer with the hands before the chest, at a distance in metres. */
function handsApart(distance) {
  const pose = performerPose();
  const put = (name, point) => pose.set(point, 3 * PERFORMER_JOINTS.indexOf(name));
  const at = (name) => [...pose.subarray(3 * PERFORMER_JOINTS.indexOf(name)).subarray(0, 3)];
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ]) {
    const shoulder = at(`${side}Shoulder`);
    const [upper, lower] = [0.29, 0.26];
    const wrist = [sign * (distance / 2 + 0.02), 1.18, 0.3];
    const span = wrist.map((value, k) => value - shoulder[k]);
    const length = Math.min(Math.hypot(...span), upper + lower - 0.005);
    const along = span.map((value) => value / Math.hypot(...span));
    const reach = (upper ** 2 - lower ** 2 + length ** 2) / (2 * length);
    const out = Math.sqrt(upper ** 2 - reach ** 2);
    const pole = [sign * 0.6, -0.8, 0];
    const part = pole.reduce((sum, value, k) => sum + value * along[k], 0);
    const across = pole.map((value, k) => value - part * along[k]);
    put(
      `${side}Elbow`,
      shoulder.map((value, k) => value + reach * along[k] + (out * across[k]) / Math.hypot(...across)),
    );
    put(
      `${side}Wrist`,
      shoulder.map((value, k) => value + length * along[k]),
    );
    put(`${side}Hand`, [sign * (distance / 2), 1.2, shoulder[2] + length * along[2] + 0.08]);
  }
  return pose;
}
