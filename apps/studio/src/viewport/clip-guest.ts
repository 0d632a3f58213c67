/** A character that plays a clip of its own file, whatever the animation that was opened is. */
import { enhance } from '@pelt/three/webgpu';
import { type AnimationClip, AnimationMixer, Box3 } from 'three/webgpu';
import { type Character, closeCharacter, openCharacter } from './character.ts';
import type { Guest, Viewport } from './viewport.ts';

/** At which the timeline counts. */
const FPS = 30;

export class ClipGuest implements Guest {
  readonly plays = true;
  readonly fps = FPS;
  readonly frames: number;
  readonly #viewport: Viewport;
  readonly #character: Character;
  readonly #mixer: AnimationMixer;
  /** Whether the clip says itself how far morph targets are on. */
  readonly #playsMorphs: boolean;
  #changed = true;

  static async open(viewport: Viewport, bytes: ArrayBuffer): Promise<ClipGuest> {
    const character = await openCharacter(viewport.stage, bytes);
    const [clip] = character.clips;
    if (!clip) throw new Error('the file has no animation; perform again');
    const mixer = new AnimationMixer(character.root);
    mixer.clipAction(clip).play();
    return new ClipGuest(viewport, character, mixer, clip);
  }

  private constructor(viewport: Viewport, character: Character, mixer: AnimationMixer, clip: AnimationClip) {
    this.#viewport = viewport;
    this.#character = character;
    this.#mixer = mixer;
    this.frames = Math.max(1, Math.floor(clip.duration * FPS) + 1);
    this.#playsMorphs = clip.tracks.some(({ name }) => name.endsWith('.morphTargetInfluences'));
    const { stage } = viewport;
    enhance(character.root, stage.renderer, { normals: 'exact' });
    this.#frameAll();
    viewport.welcome(this);
    this.play(0);
  }

  update(): boolean {
    if (!this.#changed) return false;
    this.#changed = false;
    this.#viewport.poseSkins();
    return true;
  }

  play(frame: number): void {
    this.#mixer.setTime(frame / FPS);
    if (!this.#playsMorphs) for (const morphs of this.#character.morphs) morphs.update();
    this.#changed = true;
  }

  dispose(): void {
    this.#mixer.stopAllAction();
    closeCharacter(this.#character);
    this.#viewport.dismiss(this);
    this.#viewport.frameInput();
  }

  /** A performance goes farther than the animation that was opened: a few moments of it are framed. */
  #frameAll(): void {
    const box = new Box3();
    const moments = 12;
    for (let k = 0; k <= moments; k++) {
      this.#mixer.setTime(((this.frames - 1) / FPS) * (k / moments));
      this.#character.root.updateMatrixWorld(true);
      for (const mesh of this.#character.meshes) {
        mesh.skeleton.update();
        mesh.computeBoundingBox();
        if (mesh.boundingBox) box.union(mesh.boundingBox.clone().applyMatrix4(mesh.matrixWorld));
      }
    }
    if (!box.isEmpty()) this.#viewport.stage.frame({ min: box.min.toArray(), max: box.max.toArray() });
  }
}
