/** Volume: one joint bent and twisted, by linear blending, by dual quaternions, and as a solid body. */
import type { VolumeBinding } from '@pelt/skin/volume/runtime';
import { bonesOf, meshOf, VolumeDriver } from '@pelt/three';
import { meshVolume } from '../../../../apps/studio/src/viewport/enclosed-volume.ts';
import { arrange, boxOf } from './arrange.ts';
import { Sway } from './clock.ts';
import type { StartLive } from './host.ts';
import { fetchModel, linear, Model, updateModels } from './model.ts';

const NAMES = ['Linear', 'Dual quaternions', 'Volume'];

export const start: StartLive = async (host) => {
  const bytes = await fetchModel('volume.glb');
  const load = (skinning: 'linear' | 'dual-quaternion') => Model.load(host, bytes.slice(0), { skinning });
  const models = [await load('linear'), await load('dual-quaternion'), await Model.load(host, bytes.slice(0), 'stock')];
  const solid = models[2];
  solid.paintPlain(linear('#d9935c'));
  const { mesh } = solid;
  host.say('Filling the body with tetrahedra…');
  const worker = new Worker(new URL('./volume-worker.ts', import.meta.url), { type: 'module' });
  const binding = await new Promise<VolumeBinding>((done, fail) => {
    worker.addEventListener('message', ({ data }) => done(data));
    worker.addEventListener('error', ({ message }) => fail(new Error(message)));
    worker.postMessage({
      mesh: meshOf('body', [mesh.geometry]),
      bones: bonesOf(mesh.skeleton.joints, mesh.skeleton.inverses),
    });
  });
  worker.terminate();
  const driver = new VolumeDriver(mesh, binding);
  await driver.ready;
  driver.addEventListener('error', ({ error }) => host.fail(error));
  const bend = new Sway(host, 'Bend', 0, 120, { value: 90 });
  const twist = new Sway(host, 'Twist', 0, 160, { value: 60, period: 17 });
  const triangles = mesh.geometry.index?.array ?? [];
  const atRest = meshVolume(models[0].readPositions(), triangles);
  const box = boxOf(models[0].positions);
  box.max.y += 0.45 * (box.max.x - box.min.x);
  arrange(
    host,
    models.map(({ root }) => root),
    [box, box, box],
    { azimuth: 10, elevation: 12, margin: 0.92 },
  );
  // The solver may need longer than a frame: all three are shown in the pose that it has answered.
  let [asked, isBusy] = ['', false];
  driver.addEventListener('change', () => {
    isBusy = false;
    const [bent, twisted] = asked.split(',').map((degrees) => (Number(degrees) * Math.PI) / 180);
    for (const each of models.slice(0, 2)) each.mesh.skeleton.joints[1].rotation.set(twisted, 0, bent, 'ZYX');
    host.stage.world.updateMatrixWorld(true);
    const volumes = models.map((each) => meshVolume(each.readPositions(), triangles) / atRest);
    host.labels(NAMES.map((name, k) => `${name} ${(100 * volumes[k]).toFixed(0)} %`));
  });
  host.say('');
  return {
    frame(seconds) {
      const angles = [bend.at(seconds), twist.at(seconds)];
      if (!isBusy && asked !== angles.join()) {
        [asked, isBusy] = [angles.join(), true];
        const [bent, twisted] = angles.map((degrees) => (degrees * Math.PI) / 180);
        mesh.skeleton.joints[1].rotation.set(twisted, 0, bent, 'ZYX');
        host.stage.world.updateMatrixWorld(true);
        driver.update();
      }
      updateModels(host);
    },
    dispose: () => driver.dispose(),
  };
};
