/**
 * The shader of a model: nodes for the vertex stage, and the passes before it where virtual bones are blended or normals
 * are exact. One for all meshes that share a surface and the choices; their textures are put in before each draw.
 */
import type { BufferGeometry, Texture } from 'three';
import {
  cross,
  Fn,
  float,
  If,
  int,
  ivec2,
  Loop,
  morphReference,
  normalGeometry,
  normalLocal,
  OnObjectUpdate,
  positionGeometry,
  positionLocal,
  tangentGeometry,
  tangentLocal,
  texture,
  vec3,
  vec4,
  vertexIndex,
} from 'three/tsl';
import type { Node, NodeMaterial, Renderer, TextureNode } from 'three/webgpu';
import type { PeltMesh } from '../mesh/pelt-mesh.ts';
import { displacementCount } from '../model/pelt-model.ts';
import type { SkinSurface } from '../model/skin-surface.ts';
import { type DisplacementPalettes, displacedFromTables, displacedVertex, displacement } from './displacement-nodes.ts';
import type { MeshTextures } from './mesh-textures.ts';
import { skipStockSkinning } from './node-material.ts';
import {
  blendedQuaternion,
  blendedRows,
  screwPoint,
  slotsFrom,
  transformDirection,
  transformPoint,
  turnDirection,
} from './skin-nodes.ts';
import { SkinTables } from './skin-tables.ts';
import { SurfacePoser } from './surface-poser.ts';
import { listPass, listTexel, type TexelPass } from './texel-pass.ts';
import { PaletteNode, TexelTable } from './texel-table.ts';
import { vertexSlots } from './vertex-slots.ts';
import { blendVirtualBones, masterTexels } from './virtual-bones.ts';

export interface SkinChoices {
  readonly exact: boolean;
  readonly screw: boolean;
}

/** The mesh's own textures, as its shader keeps them. */
export interface TexturedShader {
  readonly textures: MeshTextures;
}

export class SkinProgram {
  readonly tables: SkinTables;
  readonly choices: SkinChoices;
  readonly surface: SkinSurface;
  readonly #palette: PaletteNode;
  readonly #displacements: DisplacementPalettes | undefined;
  readonly #influences: TextureNode | undefined;
  readonly #virtualSource: PaletteNode | undefined;
  readonly #positions: TextureNode | undefined;
  readonly #normals: TextureNode | undefined;
  readonly #masters: TexelTable | undefined;
  #virtualPass: TexelPass | undefined;
  #positionPass: TexelPass | undefined;
  #normalPass: TexelPass | undefined;
  #poser: SurfacePoser | undefined;

  /** @param joints  m */
  constructor(surface: SkinSurface, joints: number, choices: SkinChoices, first: MeshTextures) {
    const { model } = surface;
    this.surface = surface;
    this.choices = choices;
    this.tables = new SkinTables(surface);
    const bones = model.added + joints;
    if (choices.screw) this.#palette = new PaletteNode(first.quaternions as Texture, bones, 2);
    else if (first.virtual) {
      this.#palette = new PaletteNode(first.virtual.texture, model.added, 3);
      this.#virtualSource = new PaletteNode(first.palette, joints, 3);
      this.#masters = new TexelTable(masterTexels(model));
    } else this.#palette = new PaletteNode(first.palette, bones, 3);
    if (displacementCount(model) > 0) {
      this.#displacements = {
        cardinal: new PaletteNode(first.cardinal as Texture, joints, this.tables.displacementGroups),
        axes: new PaletteNode(first.axes as Texture, model.envelope?.keys.references.length ?? 1, 3),
      };
    }
    if (first.influences) this.#influences = texture(first.influences);
    if (choices.exact) {
      this.#positions = texture(first.positions?.texture as Texture);
      this.#normals = texture(first.normals?.texture as Texture);
    }
  }

  /** Makes a material play the model on one part of the surface, and on its clones. */
  equip(material: NodeMaterial, part: PeltMesh): void {
    const offset = this.surface.offsetOf(part.geometry);
    material.positionNode = Fn(() => {
      OnObjectUpdate(({ object }) => {
        const mesh = object as PeltMesh | null;
        const shader = mesh?.shader as TexturedShader | undefined;
        if (!mesh || !shader) return;
        // Passes have done it before the frame; without any it is done here.
        if (!this.hasPasses) {
          mesh.skeleton.update();
          shader.textures.sync();
        }
        this.#use(shader.textures);
      });
      return this.choices.exact ? this.#cachedVertex(part.geometry, offset) : this.#skinnedVertex(part, offset);
    })();
    skipStockSkinning(material);
  }

  get hasPasses(): boolean {
    return this.choices.exact || this.#virtualSource !== undefined;
  }

  /** What `run` does, on the CPU. */
  runOnCpu(mesh: PeltMesh, textures: MeshTextures): void {
    this.#poser ??= new SurfacePoser(this.surface, this.tables.fans);
    textures.posed ??= this.#poser.newTexels();
    this.#poser.pose(mesh, textures.posed);
    textures.onCpu = true;
  }

  /** Runs the passes of one mesh, whose textures are in step with its pose. */
  run(renderer: Renderer, textures: MeshTextures): void {
    textures.onCpu = false;
    this.#use(textures);
    if (textures.virtual) {
      this.#virtualPass ??= blendVirtualBones(
        this.surface.model,
        this.#virtualSource as PaletteNode,
        this.#masters as TexelTable,
      );
      this.#virtualPass.render(renderer, textures.virtual);
    }
    if (textures.positions && textures.normals) {
      this.#positionPass ??= listPass('pelt positions', (i) => vec4(this.#posed(i), 1));
      this.#normalPass ??= listPass('pelt normals', (i) => vec4(this.#ringNormal(i), 0));
      this.#positionPass.render(renderer, textures.positions);
      this.#normalPass.render(renderer, textures.normals);
    }
  }

  dispose(): void {
    this.tables.dispose();
    this.#masters?.dispose();
    for (const pass of [this.#virtualPass, this.#positionPass, this.#normalPass]) pass?.dispose();
    this.#virtualPass = this.#positionPass = this.#normalPass = undefined;
  }

  /** Puts the textures of one mesh in. */
  #use(textures: MeshTextures): void {
    const { screw, exact } = this.choices;
    if (screw) this.#palette.node.value = textures.quaternions as Texture;
    else this.#palette.node.value = textures.virtual?.texture ?? textures.palette;
    if (this.#virtualSource) this.#virtualSource.node.value = textures.palette;
    if (this.#displacements) {
      this.#displacements.cardinal.node.value = textures.cardinal as Texture;
      this.#displacements.axes.node.value = textures.axes as Texture;
    }
    if (this.#influences) this.#influences.value = textures.influences as Texture;
    if (!exact || !this.#positions || !this.#normals) return;
    const posed = textures.onCpu ? textures.posed : undefined;
    this.#positions.value = posed?.positions ?? (textures.positions?.texture as Texture);
    this.#normals.value = posed?.normals ?? (textures.normals?.texture as Texture);
  }

  /** Vertex stage without passes: attributes for the first four slots, tables for what is beyond. */
  #skinnedVertex(part: PeltMesh, offset: number): Node<'vec3'> {
    const { geometry } = part;
    const i = vertexOf(offset);
    positionLocal.assign(positionGeometry);
    const hasNormal = geometry.hasAttribute('normal');
    if (hasNormal) normalLocal.assign(normalGeometry);
    // Starting from the geometry leaves out the morph targets that three.js has added by now.
    if (geometry.morphAttributes.position) morphReference(part);
    const sets = vertexSlots(this.tables, geometry, i);
    const hasTangent = geometry.hasAttribute('tangent');
    let moved: Node<'vec3'>;
    if (this.choices.screw) {
      const q = blendedQuaternion(this.#palette, sets);
      moved = screwPoint(q, positionLocal);
      if (hasNormal) normalLocal.assign(turnDirection(q[0], normalLocal));
      if (hasTangent) tangentLocal.assign(turnDirection(q[0], tangentGeometry.xyz));
    } else {
      const rows = blendedRows(this.#palette, sets);
      moved = transformPoint(rows, positionLocal);
      if (hasNormal) normalLocal.assign(transformDirection(rows, normalLocal));
      if (hasTangent) tangentLocal.assign(transformDirection(rows, tangentGeometry.xyz));
    }
    if (!this.#displacements) return moved;
    return moved.add(displacement(displacedVertex(this.tables, geometry, i, offset), this.#displacements));
  }

  /** Vertex stage after the passes: position and normal are read. */
  #cachedVertex(geometry: BufferGeometry, offset: number): Node<'vec3'> {
    const i = vertexOf(offset);
    if (geometry.hasAttribute('tangent') && !this.choices.screw) {
      const rows = blendedRows(this.#palette, vertexSlots(this.tables, geometry, i));
      tangentLocal.assign(transformDirection(rows, tangentGeometry.xyz));
    }
    const texel = listTexel(i, this.surface.count);
    if (geometry.hasAttribute('normal')) normalLocal.assign((this.#normals as TextureNode).load(texel).xyz);
    return (this.#positions as TextureNode).load(texel).xyz;
  }

  /** Vertex i in the pose, from tables alone. */
  #posed(i: Node<'int'>): Node<'vec3'> {
    const rest = this.tables.rest.at(i).toVar();
    const point = rest.xyz.toVar();
    const groups = this.tables.morphGroups;
    const influences = this.#influences;
    if (groups > 0 && influences) {
      Loop({ start: int(0), end: int(groups), type: 'int', condition: '<' }, ({ i: group }) => {
        const amounts = influences.load(ivec2(group, int(0))).toVar();
        const at = i.mul(int(groups)).add(group).mul(int(3)).toVar();
        const [x, y, z] = [0, 1, 2].map((c) => amounts.dot(this.tables.morphs.at(at.add(int(c)))));
        point.addAssign(vec3(x, y, z));
      });
    }
    const sets = slotsFrom(this.tables.slots, this.tables.slotCount, i);
    const moved = this.choices.screw
      ? screwPoint(blendedQuaternion(this.#palette, sets), point)
      : transformPoint(blendedRows(this.#palette, sets), point);
    if (!this.#displacements) return moved;
    return moved.add(displacement(displacedFromTables(this.tables, i), this.#displacements));
  }

  /** Σ (a − p) × (b − p) over the ring, normalised. */
  #ringNormal(i: Node<'int'>): Node<'vec3'> {
    const positions = this.#positions as TextureNode;
    const at = (k: Node<'int'>) => positions.load(listTexel(k, this.surface.count)).xyz;
    const { rings, longRings } = this.tables;
    const p = at(i).toVar();
    const sum = vec3(0).toVar();
    const last = vec3(0).toVar();
    const add = (four: Node<'vec4'>) => {
      for (const lane of ['x', 'y', 'z', 'w'] as const) {
        const arm = at(int(four[lane])).sub(p).toVar();
        sum.addAssign(cross(last, arm));
        last.assign(arm);
      }
    };
    const head = rings.at(i.mul(int(2))).toVar();
    If(head.x.greaterThanEqual(float(0)), () => {
      add(head);
      add(rings.at(i.mul(int(2)).add(int(1))).toVar());
    }).Else(() => {
      const first = int(head.x.add(1)).negate().toVar();
      Loop({ start: int(0), end: int(head.y), type: 'int', condition: '<' }, ({ i: k }) => {
        add(longRings.at(first.add(k)).toVar());
      });
    });
    const length = sum.length().toVar();
    return length.greaterThan(float(0)).select(sum.div(length), vec3(0, 1, 0));
  }
}

/** The vertex at hand, as the surface counts; its part begins at `offset`. */
function vertexOf(offset: number): Node<'int'> {
  return offset > 0 ? int(vertexIndex).add(int(offset)).toVar() : int(vertexIndex).toVar();
}
