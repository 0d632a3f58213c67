/** Puppet: a stick figure performs, and an octopus answers by six pairs of poses. */
import type { JointPose } from '@pelt/model';
import { octopusCharacter, PERFORMER_BONES, PERFORMER_JOINTS, performerPose } from '@pelt/testkit';
import { PuppetDriver } from '@pelt/three';
import { Bone, Box3, Group, Vector3 } from 'three/webgpu';
import { arrange } from './arrange.ts';
import { Sway } from './clock.ts';
import type { StartLive } from './host.ts';
import { JointDots } from './joint-dots.ts';
import { fetchModel, linear, Model, updateModels } from './model.ts';

export const start: StartLive = async (host) => {
  const model = await Model.load(host, await fetchModel('puppet.glb'));
  model.paintPlain(linear('#c9785f'));
  const driver = new PuppetDriver(model.mesh, octopusCharacter().registration, PERFORMER_JOINTS);
  await driver.ready;
  driver.addEventListener('error', ({ error }) => host.fail(error));
  const figure = performer();
  host.stage.world.add(figure.group);
  const left = new Sway(host, 'Left arm', 0, 160, { value: 120, period: 5 });
  const right = new Sway(host, 'Right arm', 0, 160, { value: 20, period: 7 });
  const knees = new Sway(host, 'Crouch', 0, 75, { value: 0, period: 11 });
  const standing = new Box3(new Vector3(-0.75, 0, -0.3), new Vector3(0.75, 2.05, 0.3));
  const creature = new Box3()
    .setFromObject(model.root)
    .union(new Box3(new Vector3(-0.9, 0, -0.8), new Vector3(0.9, 1.2, 0.8)));
  arrange(host, [figure.group, model.root], [standing, creature], { azimuth: 0, elevation: 10, margin: 0.9 });
  host.labels(['Performer', 'Character']);
  let clock = 0;
  return {
    frame(seconds) {
      clock += 1 / 60;
      const crouch = knees.at(seconds);
      const pose: JointPose = {
        leftShoulder: { degrees: [0, 0, left.at(seconds)] },
        rightShoulder: { degrees: [0, 0, -right.at(seconds)] },
        leftHip: { degrees: [-crouch, 0, 0] },
        rightHip: { degrees: [-crouch, 0, 0] },
        leftKnee: { degrees: [1.47 * crouch, 0, 0] },
        rightKnee: { degrees: [1.47 * crouch, 0, 0] },
        leftAnkle: { degrees: [-0.47 * crouch, 0, 0] },
        rightAnkle: { degrees: [-0.47 * crouch, 0, 0] },
      };
      const joints = performerPose(pose);
      standOnGround(joints);
      figure.show(joints);
      driver.update(joints, clock);
      updateModels(host);
    },
    dispose: () => driver.dispose(),
  };
};

/** A tracker sees the hips sink, not the feet rise. */
function standOnGround(joints: Float32Array): void {
  let lowest = Number.POSITIVE_INFINITY;
  for (let k = 1; k < joints.length; k += 3) lowest = Math.min(lowest, joints[k]);
  for (let k = 1; k < joints.length; k += 3) joints[k] -= lowest - 0.02;
}

/** The performer's joints as dots and lines. */
function performer() {
  const group = new Group();
  const bones = PERFORMER_BONES.map(() => new Bone());
  PERFORMER_BONES.forEach(({ parent }, j) => {
    (parent < 0 ? group : bones[parent]).add(bones[j]);
  });
  const dots = new JointDots(bones, 0.028);
  group.add(dots.group);
  const show = (joints: Float32Array) => {
    PERFORMER_BONES.forEach(({ parent }, j) => {
      bones[j].position.fromArray(joints, 3 * j);
      if (parent >= 0) bones[j].position.sub(new Vector3().fromArray(joints, 3 * parent));
    });
    group.updateMatrixWorld(true);
    dots.show(-1);
  };
  return { group, show };
}
