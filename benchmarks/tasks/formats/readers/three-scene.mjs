/** A scene of three as the other readers of this folder give theirs. */
import { AnimationMixer, Vector3 } from 'three';

export function readThreeScene(root, animations, scale) {
  const meshes = [];
  root.traverse((object) => {
    if (object.isMesh) meshes.push(object);
  });
  const mixer = new AnimationMixer(root);
  const rest = [];
  root.traverse((object) => {
    const { position, quaternion, scale: size } = object;
    rest.push([object, position.clone(), quaternion.clone(), size.clone(), object.morphTargetInfluences?.slice()]);
  });
  const point = new Vector3();
  const materials = new Set(meshes.flatMap(({ material }) => material).map(({ name }) => name ?? ''));
  const count = ({ geometry }) => geometry.index?.count ?? geometry.attributes.position.count;
  return {
    materials: [...materials],
    clips: animations.map(({ name, duration }) => ({ name, start: 0, end: duration })),
    parts: meshes.map((mesh) => ({ name: mesh.name, corners: count(mesh) })),
    play(clip, time) {
      mixer.stopAllAction();
      for (const [object, position, quaternion, size, influences] of rest) {
        object.position.copy(position);
        object.quaternion.copy(quaternion);
        object.scale.copy(size);
        influences?.forEach((weight, k) => {
          object.morphTargetInfluences[k] = weight;
        });
      }
      if (clip >= 0) {
        const action = mixer.clipAction(animations[clip]);
        action.clampWhenFinished = true;
        action.setLoop(2200, 1);
        action.reset().play();
        mixer.setTime(time);
      }
      root.updateMatrixWorld(true);
      for (const mesh of meshes) mesh.skeleton?.update();
      const out = new Float32Array(meshes.reduce((sum, mesh) => sum + 3 * count(mesh), 0));
      let at = 0;
      for (const mesh of meshes) {
        const { index } = mesh.geometry;
        for (let c = 0; c < count(mesh); c++, at += 3) {
          mesh.getVertexPosition(index ? index.getX(c) : c, point).applyMatrix4(mesh.matrixWorld);
          out[at] = point.x * scale;
          out[at + 1] = point.y * scale;
          out[at + 2] = point.z * scale;
        }
      }
      return out;
    },
  };
}
