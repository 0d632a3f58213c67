/** Skeleton: the joints that were found in the creature's walk, played or turned by hand. */
import { Quaternion, Vector3 } from 'three/webgpu';
import { arrange, boxOf } from './arrange.ts';
import { Sway } from './clock.ts';
import type { StartLive } from './host.ts';
import { JointDots } from './joint-dots.ts';
import { fetchModel, Model, updateModels } from './model.ts';

export const start: StartLive = async (host) => {
  const model = await Model.load(host, await fetchModel('skeleton.glb'));
  const axes: number[][] = JSON.parse(new TextDecoder().decode(await fetchModel('skeleton.json')));
  model.paintBones();
  const joints = model.mesh.skeleton.joints;
  const dots = new JointDots(joints, 0.014);
  model.root.add(dots.group);
  model.setTime(0);
  const rest = joints.map(({ quaternion }) => quaternion.clone());
  let isPosed = false;
  let chosen = 1;
  host.choices('Motion', ['Walk', 'Pose by hand'], (choice) => {
    isPosed = choice === 1;
  });
  host.select(
    'Joint',
    joints.slice(1).map(({ name }) => name),
    (index) => {
      chosen = index + 1;
    },
  );
  const sway = new Sway(host, 'Angle', -60, 60, { value: 0, period: 4 });
  const box = boxOf(model.readPositions()).expandByScalar(0.05);
  arrange(host, [model.root], [box], { azimuth: 62, elevation: 12, margin: 0.8 });
  host.say(`${joints.length} joints, from ${model.mesh.geometry.getAttribute('position').count} vertices in 24 frames`);
  const turn = new Quaternion();
  return {
    frame(seconds) {
      if (isPosed) {
        joints.forEach(({ quaternion }, j) => {
          quaternion.copy(rest[j]);
        });
        const axis = new Vector3(...(axes[chosen] as [number, number, number])).normalize();
        joints[chosen].quaternion.premultiply(turn.setFromAxisAngle(axis, (sway.at(seconds) * Math.PI) / 180));
        model.root.updateMatrixWorld(true);
      } else model.setTime(seconds);
      dots.show(isPosed ? chosen : -1);
      updateModels(host);
    },
  };
};
