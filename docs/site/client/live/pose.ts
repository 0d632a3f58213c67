/** Pose: the creature dragged by its skin, by pointer or by sliders. */
import { PoseControls } from '@pelt/three';
import { BufferGeometry, Points, PointsMaterial, Vector3 } from 'three/webgpu';
import { arrange, boxOf } from './arrange.ts';
import type { StartLive } from './host.ts';
import { fetchModel, linear, Model, updateModels } from './model.ts';

interface Handle {
  readonly name: string;
  readonly vertex: number;
}

export const start: StartLive = async (host) => {
  const { stage, canvas } = host;
  const model = await Model.load(host, await fetchModel('poser.glb'));
  model.paintPlain(linear('#c9ccd1'));
  const handles: Handle[] = JSON.parse(new TextDecoder().decode(await fetchModel('poser.json')));
  const controls = new PoseControls(model.mesh, stage.camera, canvas, {});
  await controls.ready;
  controls.addEventListener('error', ({ error }) => host.fail(error));
  controls.addEventListener('pick', () => {
    stage.controls.enabled = false;
  });
  controls.addEventListener('release', () => {
    stage.controls.enabled = true;
  });
  const rest = handles.map(({ vertex }) => model.mesh.getVertexPosition(vertex, new Vector3()));
  let chosen = 0;
  const shift = new Vector3();
  const pull = () => controls.solver.pull(handles[chosen].vertex, rest[chosen].clone().add(shift));
  const centimetres = (value: number) => `${value} cm`;
  host.select(
    'Point',
    handles.map(({ name }) => name),
    (index) => {
      chosen = index;
      shift.set(0, 0, 0);
      up.value = forward.value = 0;
      controls.solver.mark();
    },
  );
  const range = { min: -30, max: 30, value: 0, format: centimetres };
  const up = host.slider('Up', range, (value) => {
    shift.y = value / 100;
    pull();
  });
  const forward = host.slider('Forward', range, (value) => {
    shift.z = value / 100;
    pull();
  });
  host.button('Reset', () => {
    controls.solver.reset();
    shift.set(0, 0, 0);
    up.value = forward.value = 0;
  });
  const pins = new Points(
    new BufferGeometry(),
    new PointsMaterial({ color: '#d9822b', size: 9, sizeAttenuation: false, depthTest: false }),
  );
  pins.frustumCulled = false;
  model.root.add(pins);
  const showHandles = () => {
    const held = controls.solver.handles.filter(({ pinned, vertex }) => pinned || vertex === controls.dragged);
    model.mesh.skeleton.update();
    pins.geometry.dispose();
    pins.geometry = new BufferGeometry().setFromPoints(
      held.map(({ vertex }) => model.mesh.getVertexPosition(vertex, new Vector3())),
    );
    pins.visible = held.length > 0;
  };
  pins.visible = false;
  controls.addEventListener('change', showHandles);
  const box = boxOf(model.readPositions()).expandByScalar(0.12);
  arrange(host, [model.root], [box], { azimuth: 62, elevation: 12, margin: 0.86 });
  return {
    frame: () => updateModels(host),
    dispose: () => controls.dispose(),
  };
};
