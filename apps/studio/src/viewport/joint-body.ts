/** A character whose joints are turned, deformed in one of several ways, with figures of what that does to its surface. */
import type { Mesh as ModelMesh } from '@pelt/model';
import type { VolumeBinding, VolumeDeformerOptions } from '@pelt/skin/volume/runtime';
import { meshOf, RestSpace, VolumeDriver } from '@pelt/three';
import { enhance } from '@pelt/three/webgpu';
import { type Bone, Euler, Quaternion, Vector3 } from 'three/webgpu';
import { type Character, closeCharacter, openCharacter } from './character.ts';
import { enclosedVolume, meshVolume, posedPositions } from './enclosed-volume.ts';
import type { Stage } from './stage.ts';
import { firstAtPlace, type Hinges, hingesOf, roughness } from './surface-roughness.ts';

/** One way to deform the character. */
export interface Manner {
  readonly name: string;
  readonly bytes: ArrayBuffer;
  /** Absent: as the file says. */
  readonly skinning?: 'linear' | 'dual-quaternion';
  /** Deform it as a solid body. */
  readonly binding?: VolumeBinding;
  /** Of the solid body. */
  readonly volume?: Partial<VolumeDeformerOptions>;
}

/** What a pose does to a surface. */
export interface ShapeFigures {
  /** In volumes at rest. */
  readonly volume: number;
  /** Degrees that edges are bent beyond rest, root mean square. */
  readonly roughness: number;
}

export class JointBody {
  readonly name: string;
  readonly character: Character;
  readonly bones: readonly Bone[];
  readonly driver: VolumeDriver | undefined;
  readonly space: RestSpace;
  /** How each joint stands in the file. */
  readonly rest: readonly Quaternion[];
  readonly #restVolume: number;
  readonly #restPlaces: Float64Array;
  #hinges: Hinges | undefined;

  /** @param onChange  told when a solid has followed its joints */
  static async open(
    stage: Stage,
    { name, bytes, skinning, binding, volume = {} }: Manner,
    onChange: () => void,
    onError: (error: Error) => void,
  ): Promise<JointBody> {
    const character = await openCharacter(stage, bytes);
    const body = new JointBody(name, character, binding, volume);
    const { driver } = body;
    try {
      if (driver) {
        driver.addEventListener('change', onChange);
        driver.addEventListener('error', ({ error }) => onError(error));
        await driver.ready;
      } else enhance(character.root, stage.renderer, { normals: 'exact', ...(skinning && { skinning }) });
    } catch (error) {
      body.dispose();
      throw error;
    }
    return body;
  }

  private constructor(
    name: string,
    character: Character,
    binding: VolumeBinding | undefined,
    volume: Partial<VolumeDeformerOptions>,
  ) {
    const { root, mesh } = character;
    this.name = name;
    this.character = character;
    this.#restVolume = enclosedVolume(mesh, false);
    this.#restPlaces = posedPositions(mesh);
    if (!mesh.geometry.hasAttribute('normal')) mesh.geometry.computeVertexNormals();
    this.space = new RestSpace(mesh, root);
    this.driver = binding && new VolumeDriver(mesh, binding, { space: this.space, volume });
    this.bones = mesh.skeleton.joints as readonly Bone[];
    this.rest = this.bones.map(({ quaternion }) => quaternion.clone());
  }

  get figures(): ShapeFigures {
    const { mesh } = this.character;
    const places = posedPositions(mesh);
    const triangles = this.#triangles;
    this.#hinges ??= hingesOf(triangles, firstAtPlace(this.#restPlaces));
    return {
      volume: meshVolume(places, triangles) / (this.#restVolume || 1),
      roughness: roughness(this.#hinges, this.#restPlaces, places),
    };
  }

  /** The shape as it is posed, as a mesh of its own. */
  get shape(): ModelMesh {
    const { mesh } = this.character;
    return { ...meshOf(mesh.name, [mesh.geometry]), positions: Float32Array.from(posedPositions(mesh)) };
  }

  get triangles(): Uint32Array {
    return Uint32Array.from(this.#triangles);
  }

  get #triangles(): ArrayLike<number> {
    const { index, attributes } = this.character.mesh.geometry;
    return index ? index.array : Uint32Array.from({ length: attributes.position.count }, (_, i) => i);
  }

  /** Whether all of its bones are joints. */
  get isPlain(): boolean {
    return this.character.mesh.model.added === 0;
  }

  /** The name of the joint that moves a vertex most. */
  strongestJoint(vertex: number): string | undefined {
    const { skin, masters, added } = this.character.mesh.model;
    const bone = skin.bones[vertex * skin.slots];
    const joint = bone >= added ? bone - added : masters?.bones[bone * masters.slots];
    return this.bones[joint ?? 0]?.name;
  }

  /** Turns a joint about its own axes, in degrees from the rest pose. */
  turn(j: number, x: number, y: number, z: number): void {
    const [a, b, c] = [x, y, z].map((degrees) => (degrees * Math.PI) / 180);
    const turn = new Quaternion();
    for (const [axis, angle] of [
      [new Vector3(1, 0, 0), a],
      [new Vector3(0, 1, 0), b],
      [new Vector3(0, 0, 1), c],
    ] as const) {
      turn.multiply(new Quaternion().setFromAxisAngle(axis, angle));
    }
    this.bones[j].quaternion.copy(this.rest[j]).multiply(turn);
  }

  /** How a joint is turned from the rest pose, in degrees about its own axes. */
  turnOf(j: number): readonly [number, number, number] {
    const turn = this.rest[j].clone().invert().multiply(this.bones[j].quaternion);
    const { x, y, z } = new Euler().setFromQuaternion(turn, 'XYZ');
    const degrees = (radians: number) => Math.round((radians * 180) / Math.PI);
    return [degrees(x), degrees(y), degrees(z)];
  }

  /** Follows another body by the names of its joints, each from where its own file has it. */
  follow(first: JointBody): void {
    const turn = new Quaternion();
    const place = new Vector3();
    for (const [j, bone] of this.bones.entries()) {
      const k = first.bones.findIndex(({ name }) => name === bone.name);
      if (k < 0) continue;
      const leader = first.bones[k];
      bone.quaternion.copy(this.rest[j]).multiply(turn.copy(first.rest[k]).invert().multiply(leader.quaternion));
      if (!bone.parent || 'isBone' in bone.parent) continue;
      // The root is moved in the world: the units of files differ.
      bone.parent.updateWorldMatrix(true, false);
      bone.position.copy(bone.parent.worldToLocal(leader.getWorldPosition(place)));
    }
  }

  /** Brings everything but the palette up to date with the joints. */
  update(): void {
    const { root, morphs } = this.character;
    root.updateMatrixWorld(true);
    for (const set of morphs) set.update();
    this.driver?.update();
  }

  dispose(): void {
    this.driver?.dispose();
    closeCharacter(this.character);
  }
}
