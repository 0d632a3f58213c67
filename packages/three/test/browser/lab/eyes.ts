/** Two eyes in one frame, as WebXR renders: an array camera whose eyes have places, projections and viewports of their own. */
import { AmbientLight, ArrayCamera, DirectionalLight, PerspectiveCamera, Vector3, Vector4 } from 'three';
import type { Renderer } from 'three/webgpu';
import { useEightWeights } from '../../../src/webgl/index.ts';
import { enhance, updateSkins } from '../../../src/webgpu/index.ts';
import { picture } from './picture.ts';
import type { PlayRequest } from './playing.ts';
import { isClassic, rendererOf } from './renderers.ts';
import { play, stage } from './stage.ts';

const SIZE = 64;

export interface Seen {
  /** Of each eye: pixels that differ from what that eye sees alone, and pixels that the mesh covers. */
  readonly differing: readonly number[];
  readonly covered: readonly number[];
  /** Poses computed in the frame of both eyes. */
  readonly poses: number;
  /** Times the joints were read in it. */
  readonly updates: number;
}

/** @param away  the left eye looks elsewhere, so that only the right one sees the mesh */
export async function eyes(request: PlayRequest & { readonly away: boolean }): Promise<Seen> {
  const renderer = await rendererOf(request.renderer);
  const set = await stage(request.file, { all: true });
  const { mesh, scene } = set;
  if (request.enhance) enhance(scene, renderer as Renderer, request.enhance);
  if (request.eight) useEightWeights(scene);
  scene.add(new DirectionalLight(), new AmbientLight());
  play(set, 0);
  const center = mesh.boundingSphere?.center.clone().applyMatrix4(mesh.matrixWorld) ?? new Vector3();
  const both = [-1, 1].map((side) => {
    const eye = new PerspectiveCamera(25, 1, 0.1, 50);
    // Projections of headsets are lopsided.
    eye.setViewOffset(SIZE, SIZE, 3 * side, 2, SIZE, SIZE);
    eye.position.copy(center).add(new Vector3(0.4 * side, 0.3, 4));
    eye.lookAt(request.away && side < 0 ? center.clone().add(new Vector3(-20, 0, 4)) : center);
    eye.updateMatrixWorld(true);
    return eye;
  });
  const camera = new ArrayCamera(
    both.map((eye, k) => Object.assign(eye.clone(), { viewport: new Vector4(k * SIZE, 0, SIZE, SIZE) })),
  );
  for (const eye of camera.cameras) eye.updateMatrixWorld(true);
  camera.position.copy(center).add(new Vector3(0, 0.3, 4));
  camera.updateMatrixWorld(true);
  const frame = () => {
    if (!isClassic(renderer)) updateSkins(scene, renderer as Renderer);
    return picture(renderer, scene, camera, 2 * SIZE, SIZE);
  };
  await frame();
  play(set, request.time);
  const counted = countUpdates(mesh.skeleton);
  const before = mesh.skeleton.version;
  const pixels = await frame();
  const result = { poses: mesh.skeleton.version - before, updates: counted.stop() };
  const differing: number[] = [];
  const covered: number[] = [];
  for (const [k, eye] of both.entries()) {
    const alone = await picture(renderer, scene, eye, SIZE);
    let [apart, lit] = [0, 0];
    for (let at = 0; at < SIZE * SIZE; at++) {
      const [x, y] = [at % SIZE, Math.floor(at / SIZE)];
      const [a, b] = [pixels[4 * (y * 2 * SIZE + k * SIZE + x)], alone[4 * at]];
      if (!(Math.abs(a - b) <= 0.01)) apart++;
      if (b > 0) lit++;
    }
    differing.push(apart);
    covered.push(lit);
  }
  mesh.dispose();
  mesh.geometry.dispose();
  return { differing, covered, ...result };
}

function countUpdates(skeleton: { update(): void }): { stop(): number } {
  let count = 0;
  const { update } = skeleton;
  skeleton.update = () => {
    count++;
    update.call(skeleton);
  };
  return {
    stop() {
      skeleton.update = update;
      return count;
    },
  };
}
