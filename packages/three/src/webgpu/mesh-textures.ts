/** What changes with the pose of one mesh, on the GPU: written when the pose has changed, and nothing else per frame. */
import type { DataTexture } from 'three';
import type { RenderTarget } from 'three/webgpu';
import type { PeltMesh } from '../mesh/pelt-mesh.ts';
import { type DisplacementPose, displacementPose } from './pose-table.ts';
import type { PosedTexels } from './surface-poser.ts';
import { floatTarget, listTarget } from './texel-pass.ts';
import { floatTexture, paletteSize } from './texel-table.ts';

export class MeshTextures {
  /** Three texels a bone: those that are uploaded, which are the masters alone where virtual bones are blended here. */
  readonly palette: DataTexture;
  /** Two texels a bone, for dual quaternions. */
  readonly quaternions: DataTexture | undefined;
  readonly cardinal: DataTexture | undefined;
  readonly axes: DataTexture | undefined;
  /** Amounts of the morph targets, four a texel, for passes. */
  readonly influences: DataTexture | undefined;
  /** Virtual bones, three texels each. */
  readonly virtual: RenderTarget | undefined;
  /** Posed vertices, and their normals. */
  readonly positions: RenderTarget | undefined;
  readonly normals: RenderTarget | undefined;
  /** The same where the CPU has posed them last. */
  posed: PosedTexels | undefined;
  /** Whether the CPU has. */
  onCpu = false;
  readonly #mesh: PeltMesh;
  readonly #displaced: DisplacementPose | undefined;
  #version = -1;

  /** @param count  vertices of the surface */
  constructor(mesh: PeltMesh, exact: boolean, count: number) {
    const { model, skeleton, geometry } = mesh;
    this.#mesh = mesh;
    const bones = model.masters ? skeleton.joints.length : model.added + skeleton.joints.length;
    this.palette = table(bones, 3);
    if (mesh.skinning === 'dual-quaternion') this.quaternions = table(bones, 2);
    this.#displaced = displacementPose(model, skeleton.joints.length);
    this.cardinal = this.#displaced?.cardinal.texture(1);
    this.axes = this.#displaced?.axes.texture(1);
    const targets = geometry.morphAttributes.position?.length ?? 0;
    if (exact && targets > 0) this.influences = table(1, Math.ceil(targets / 4));
    if (model.masters) {
      const { width, height } = paletteSize(model.added, 3);
      this.virtual = floatTarget(width, height);
    }
    if (exact) {
      this.positions = listTarget(count);
      this.normals = listTarget(count);
    }
  }

  /** Bytes that a changed pose uploads. */
  get uploadBytes(): number {
    const textures = [this.palette, this.quaternions, this.cardinal, this.axes, this.influences];
    return textures.reduce((sum, texture) => sum + (texture ? floats(texture).byteLength : 0), 0);
  }

  /** Copies the pose of the skeleton where it has changed; whether it had. */
  sync(): boolean {
    const { skeleton, deformer, model, morphTargetInfluences } = this.#mesh;
    let changed = false;
    if (this.influences && morphTargetInfluences) {
      const out = floats(this.influences);
      for (let k = 0; k < morphTargetInfluences.length; k++) {
        const value = Math.fround(morphTargetInfluences[k]);
        changed ||= out[k] !== value;
        out[k] = value;
      }
      if (changed) this.influences.needsUpdate = true;
    }
    if (this.#version === skeleton.version) return changed;
    this.#version = skeleton.version;
    if (this.quaternions) {
      floats(this.quaternions).set(deformer.quaternions());
      this.quaternions.needsUpdate = true;
    } else {
      floats(this.palette).set(model.masters ? skeleton.transforms : skeleton.palette);
      this.palette.needsUpdate = true;
    }
    if (this.#displaced && this.cardinal && this.axes) {
      this.#displaced.cardinal.write(this.#mesh, floats(this.cardinal), 0);
      this.#displaced.axes.write(this.#mesh, floats(this.axes), 0);
      this.cardinal.needsUpdate = true;
      this.axes.needsUpdate = true;
    }
    return true;
  }

  dispose(): void {
    for (const texture of [this.palette, this.quaternions, this.cardinal, this.axes, this.influences]) {
      texture?.dispose();
    }
    for (const target of [this.virtual, this.positions, this.normals]) target?.dispose();
    for (const texture of [this.posed?.positions, this.posed?.normals]) texture?.dispose();
  }
}

function table(bones: number, texels: number): DataTexture {
  const { width, height } = paletteSize(bones, texels);
  return floatTexture(new Float32Array(4 * width * height), width, height);
}

function floats({ image }: DataTexture): Float32Array {
  return image.data as Float32Array;
}
