/** A character that plays a clip of its own file, whatever the animation that was opened is. */
import { PeltLoaderPlugin, type PeltMesh } from '@pelt/three';
import { enhance, updateSkins } from '@pelt/three/webgpu';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { AnimationMixer, Box3, Color, MeshStandardMaterial, type Object3D } from 'three/webgpu';
import { NEUTRAL } from './palette.ts';
import type { Guest, Viewport } from './viewport.ts';

/** At which the timeline counts. */
const FPS = 30;

export class ClipGuest implements Guest {
  readonly plays = true;
  readonly fps = FPS;
  readonly frames: number;
  readonly #viewport: Viewport;
  readonly #root: Object3D;
  readonly #meshes: readonly PeltMesh[];
  readonly #mixer: AnimationMixer;
  #changed = true;

  static async open(viewport: Viewport, bytes: ArrayBuffer): Promise<ClipGuest> {
    const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser, { all: true }));
    const gltf = await loader.parseAsync(bytes, '');
    const [clip] = gltf.animations;
    if (!clip) throw new Error('the file has no animation; perform again');
    const { meshes } = gltf.userData.pelt as { meshes: readonly PeltMesh[] };
    const mixer = new AnimationMixer(gltf.scene);
    mixer.clipAction(clip).play();
    return new ClipGuest(viewport, gltf.scene, meshes, mixer, clip.duration);
  }

  private constructor(
    viewport: Viewport,
    root: Object3D,
    meshes: readonly PeltMesh[],
    mixer: AnimationMixer,
    duration: number,
  ) {
    this.#viewport = viewport;
    this.#root = root;
    this.#meshes = meshes;
    this.#mixer = mixer;
    this.frames = Math.max(1, Math.floor(duration * FPS) + 1);
    const { stage } = viewport;
    for (const mesh of meshes) {
      mesh.material = new MeshStandardMaterial({ color: new Color().setRGB(...NEUTRAL), roughness: 0.78 });
      mesh.castShadow = true;
      mesh.frustumCulled = false;
    }
    stage.world.add(root);
    enhance(root, stage.renderer, { normals: 'exact' });
    this.#frameAll();
    viewport.guest = this;
    this.play(0);
  }

  update(): boolean {
    if (!this.#changed) return false;
    this.#changed = false;
    updateSkins(this.#viewport.stage.scene, this.#viewport.stage.renderer);
    return true;
  }

  play(frame: number): void {
    this.#mixer.setTime(frame / FPS);
    this.#changed = true;
  }

  undo(): boolean {
    return false;
  }

  redo(): boolean {
    return false;
  }

  dispose(): void {
    this.#mixer.stopAllAction();
    this.#root.removeFromParent();
    for (const mesh of this.#meshes) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.#viewport.guest = undefined;
    this.#viewport.frameInput();
  }

  /** A performance goes farther than the animation that was opened: a few moments of it are framed. */
  #frameAll(): void {
    const box = new Box3();
    const moments = 12;
    for (let k = 0; k <= moments; k++) {
      this.#mixer.setTime(((this.frames - 1) / FPS) * (k / moments));
      this.#root.updateMatrixWorld(true);
      for (const mesh of this.#meshes) {
        mesh.skeleton.update();
        mesh.computeBoundingBox();
        if (mesh.boundingBox) box.union(mesh.boundingBox.clone().applyMatrix4(mesh.matrixWorld));
      }
    }
    if (!box.isEmpty()) this.#viewport.stage.frame({ min: box.min.toArray(), max: box.max.toArray() });
  }
}
