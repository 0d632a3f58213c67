/** A crowd of walking creatures in one draw call, each at its own place in the clip. */
import { PeltLoaderPlugin, peltMeshesOf } from '@pelt/three';
import { PeltCrowd } from '@pelt/three/webgpu';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { Color, MeshStandardMaterial, Object3D } from 'three/webgpu';
import type { StartLive } from './host.ts';
import { fetchModel } from './model.ts';

const SPACING = { across: 1.1, along: 1.5 };

export const start: StartLive = async (host) => {
  const { stage } = host;
  const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser, { all: true }));
  const gltf = await loader.parseAsync(await fetchModel('crowd.glb'), '');
  const [mesh] = peltMeshesOf(gltf.scene);
  mesh.material = new MeshStandardMaterial({ color: new Color('#c98b5a'), roughness: 0.8 });
  let crowd: PeltCrowd | undefined;
  let count = 0;
  const gather = (wanted: number) => {
    crowd?.removeFromParent();
    crowd?.dispose();
    count = wanted;
    crowd = new PeltCrowd(mesh, stage.renderer, count, { clip: gltf.animations[0], root: gltf.scene });
    const rows = Math.ceil(Math.sqrt(count / 1.6));
    const columns = Math.ceil(count / rows);
    const place = new Object3D();
    for (let k = 0; k < count; k++) {
      const [row, column] = [Math.floor(k / columns), k % columns];
      place.position.set(SPACING.across * (column - (columns - 1) / 2), 0, -SPACING.along * row);
      place.rotation.y = 0.4 * Math.sin(12.9 * k);
      place.scale.setScalar(0.85 + 0.3 * Math.abs(Math.sin(78.2 * k)));
      place.updateMatrix();
      crowd.setMatrixAt(k, place.matrix);
    }
    crowd.frustumCulled = false;
    stage.world.add(crowd);
    const triangles = (mesh.geometry.index?.count ?? 0) / 3;
    host.say(
      `${count} creatures, ${((count * triangles) / 1e6).toFixed(2)} million triangles, ${8 * count} bytes per frame to the GPU, one draw call`,
    );
  };
  host.slider('Creatures', { min: 16, max: 1024, step: 16, value: 192 }, gather);
  gather(192);
  stage.frame({ min: [-5, 0, -8], max: [5, 1, 0] });
  stage.controls.target.set(0, 0.2, -6);
  stage.camera.position.set(6, 4.4, 7.5);
  Object.assign(stage.camera, { far: 200 });
  stage.controls.update();
  return {
    frame(seconds) {
      if (!crowd) return;
      for (let k = 0; k < count; k++) crowd.setTimeAt(k, seconds + 0.37 * k);
      crowd.update(stage.renderer);
    },
    dispose: () => crowd?.dispose(),
  };
};
