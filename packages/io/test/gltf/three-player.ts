import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { AnimationMixer, LoopOnce, type Mesh, type Object3D, Texture, Vector3 } from 'three';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

/** A GLB as three.js plays it, without a screen: the second opinion on what a file means. */
export class ThreePlayer {
  readonly #gltf: GLTF;
  readonly #mixer: AnimationMixer;

  private constructor(gltf: GLTF) {
    this.#gltf = gltf;
    this.#mixer = new AnimationMixer(gltf.scene);
  }

  static async load(glb: Uint8Array): Promise<ThreePlayer> {
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    // Node has no pictures to decode, and positions do not need them.
    loader.register(() => ({ name: 'no-textures', loadTexture: () => Promise.resolve(new Texture()) }));
    const gltf = await loader.parseAsync(glb.slice().buffer, '');
    return new ThreePlayer(gltf);
  }

  get clipNames(): string[] {
    return this.#gltf.animations.map(({ name }) => name);
  }

  get scene(): Object3D {
    return this.#gltf.scene;
  }

  /** n × 3 world positions of all vertices, in the order of a walk through the scene. */
  positionsAt(clip: number, time: number): Float64Array {
    this.#mixer.stopAllAction();
    if (this.#gltf.animations.length > 0) {
      const action = this.#mixer.clipAction(this.#gltf.animations[clip]);
      action.setLoop(LoopOnce, 1);
      action.clampWhenFinished = true;
      action.reset().play();
      this.#mixer.setTime(time);
    }
    return this.#positions();
  }

  #positions(): Float64Array {
    this.#gltf.scene.updateMatrixWorld(true);
    const positions: number[] = [];
    const point = new Vector3();
    this.#gltf.scene.traverse((object) => {
      const mesh = object as Mesh;
      if (!mesh.isMesh) return;
      for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
        mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
        positions.push(point.x, point.y, point.z);
      }
    });
    return Float64Array.from(positions);
  }
}

/** Largest distance between two lists of points, relative to the size of the first. */
export function largestDeviation(expected: ArrayLike<number>, actual: ArrayLike<number>): number {
  if (expected.length !== actual.length) return Number.POSITIVE_INFINITY;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let most = 0;
  for (let k = 0; k < expected.length; k++) {
    low[k % 3] = Math.min(low[k % 3], expected[k]);
    high[k % 3] = Math.max(high[k % 3], expected[k]);
    most = Math.max(most, Math.abs(expected[k] - actual[k]));
  }
  return most / Math.hypot(...high.map((value, k) => value - low[k]));
}
