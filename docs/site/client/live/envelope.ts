/** Envelope: a learnt skin beside linear blend skinning, both turned by one slider. */

import { Box3, Vector3 } from 'three/webgpu';
import { arrange } from './arrange.ts';
import { Sway } from './clock.ts';
import type { StartLive } from './host.ts';
import { fetchModel, linear, Model, updateModels } from './model.ts';

export const start: StartLive = async (host) => {
  const [learnt, plain] = await Promise.all(
    ['envelope.glb', 'elbow.glb'].map(async (name) => Model.load(host, await fetchModel(name))),
  );
  learnt.paintPlain(linear('#d9935c'));
  learnt.mixer?.stopAllAction();
  const sway = new Sway(host, 'Elbow', 0, 130, { value: 100 });
  const box = new Box3()
    .setFromObject(plain.root)
    .union(new Box3(new Vector3(-0.1, -0.2, -0.15), new Vector3(1.05, 0.62, 0.15)));
  arrange(host, [learnt.root, plain.root], [box, box], { azimuth: 8, elevation: 12, margin: 0.9 });
  host.labels(['Learnt skin', 'Linear blend skinning']);
  return {
    frame(seconds) {
      const angle = (sway.at(seconds) * Math.PI) / 180;
      for (const { mesh } of [learnt, plain]) mesh.skeleton.joints[1].rotation.z = angle;
      updateModels(host);
    },
  };
};
