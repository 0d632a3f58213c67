/** One instance of a crowd, as the vertex stage shows it. */
import { Group, Matrix4, Quaternion, Scene, Vector3 } from 'three';
import type { WebGPURenderer } from 'three/webgpu';
import { PeltCrowd } from '../../../src/webgpu/index.ts';
import { base64 } from './base64.ts';
import { capture } from './capture.ts';
import { bakedGeometry } from './picture.ts';
import { type RendererKind, rendererOf } from './renderers.ts';
import { play, stage } from './stage.ts';

export interface CrowdRequest {
  readonly file: string;
  readonly renderer: RendererKind;
  readonly count: number;
  readonly instance: number;
  /** Of each instance in turn. */
  readonly times: readonly number[];
  readonly baked: boolean;
  /** Under a node that turns and scales, as files in centimetres and with Z up have one. */
  readonly scaled?: boolean;
}

export interface SeenInstance {
  readonly positions: string;
  readonly normals: string;
  /** Those of the rest pose, turned with the bones and with the place. */
  readonly expectedNormals: string;
  /** Row-major 3 × 4: from the mesh to where the instance stands. */
  readonly place: readonly number[];
  readonly uploadBytes: number;
}

export async function instanceOf(request: CrowdRequest): Promise<SeenInstance> {
  const renderer = (await rendererOf(request.renderer)) as WebGPURenderer;
  const set = await stage(request.file, { all: true });
  const { gltf, mesh } = set;
  const clip = gltf.animations[0];
  const node = new Group();
  if (request.scaled) {
    node.scale.setScalar(0.01);
    node.rotation.x = -Math.PI / 2;
    node.add(...gltf.scene.children);
    gltf.scene.add(node);
    gltf.scene.updateMatrixWorld(true);
  }
  // Baked at the clip's own keys: 30 a second.
  const options = request.baked ? { clip, root: gltf.scene, fps: 30, smooth: true } : {};
  // The clip's last key ends it: a loop of its frames is one frame longer.
  if (request.baked) clip.duration += 1 / 30;
  const crowd = new PeltCrowd(mesh, renderer, request.count, options);
  const place = new Matrix4();
  const seen = new Matrix4();
  for (let k = 0; k < request.count; k++) {
    const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), 0.3 * k);
    place.compose(new Vector3(k % 8, 0, Math.floor(k / 8)), turn, new Vector3(1, 1.1, 0.9));
    crowd.setMatrixAt(k, place);
    if (k === request.instance) seen.multiplyMatrices(place, node.matrix);
    const time = request.times[k % request.times.length];
    if (request.baked) crowd.setTimeAt(k, time);
    else {
      play(set, time);
      crowd.setPoseFrom(k, mesh);
    }
  }
  crowd.update(renderer);
  const scene = new Scene();
  scene.add(crowd);
  const { positions, normals } = await capture(renderer, scene, crowd, request.instance);
  const e = seen.elements;
  const rows = [0, 1, 2].flatMap((r) => [e[r], e[4 + r], e[8 + r], e[12 + r]]);
  play(set, request.times[request.instance % request.times.length]);
  const expected = bakedGeometry(mesh, 'blended').applyMatrix4(seen).getAttribute('normal').array as Float32Array;
  const result = {
    positions: base64(positions),
    normals: base64(normals),
    expectedNormals: base64(expected),
    place: rows,
    uploadBytes: crowd.uploadBytes,
  };
  crowd.dispose();
  return result;
}
