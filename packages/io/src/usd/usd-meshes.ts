/** Meshes of USD, bound to a skeleton: those of a skin by its weights, others rigidly to their node. */
import type { Transform } from '../gltf/transform.ts';
import type { FileScene, SceneBlock, SceneMesh } from '../scene/file-scene.ts';
import type { WarningTally } from '../warning-tally.ts';
import type { UsdShapes } from './usd-animation.ts';
import type { UsdBind, UsdBinds } from './usd-binds.ts';
import type { UsdMaterials } from './usd-materials.ts';
import type { UsdJoints } from './usd-skeleton.ts';
import { displayName, floats, identifier, ints, matrix, type Prim, quoted, tokens, tuples } from './usda-text.ts';

export class UsdMeshes {
  readonly prims: Prim[] = [];
  readonly #shapes: { readonly name: string; readonly node: number; readonly target: number }[] = [];
  readonly #scene: FileScene;
  readonly #joints: UsdJoints;
  readonly #materials: UsdMaterials;
  readonly #root: string;

  constructor(
    scene: FileScene,
    joints: UsdJoints,
    binds: UsdBinds,
    materials: UsdMaterials,
    place: { readonly root: string; readonly taken: Set<string> },
    warnings: WarningTally,
  ) {
    this.#scene = scene;
    this.#joints = joints;
    this.#materials = materials;
    this.#root = place.root;
    scene.nodes.forEach(({ name, mesh, skin }, k) => {
      if (mesh < 0) return;
      const { blocks, name: meshName } = scene.meshes[mesh];
      const skinned = skin >= 0 && blocks.some(({ weights }) => weights);
      const used = skinned ? skin : -1;
      const id = identifier(name || meshName, place.taken, `mesh_${k}`);
      this.prims.push(this.#prim(k, id, scene.meshes[mesh], used, used >= 0 ? binds.skin(used) : binds.rigid(k)));
    });
    if (scene.meshes.some(({ blocks }) => blocks.some(({ colors }) => colors?.size === 4))) {
      warnings.add('the alpha of vertex colours is left out');
    }
  }

  get shapes(): UsdShapes {
    return {
      names: this.#shapes.map(({ name }) => name),
      places: this.#shapes.map(({ node, target }) => ({ node, target })),
    };
  }

  #prim(k: number, id: string, mesh: SceneMesh, skin: number, bind: UsdBind): Prim {
    const { blocks } = mesh;
    const path = `${this.#root}/${id}`;
    const firsts: number[] = [];
    blocks.reduce((sum, { positions }) => {
      firsts.push(sum);
      return sum + positions.length / 3;
    }, 0);
    const parts = blocks.flatMap((block, b) => block.parts.map((part) => ({ ...part, first: firsts[b] })));
    const corners = parts.flatMap(({ triangles, first }) => Array.from(triangles, (i) => i + first));
    const shapes = this.#shapePrims(k, id, mesh);
    const materials = [...new Set(parts.map(({ material }) => material))];
    const subsets = materials.length > 1 ? this.#subsets(parts) : [];
    const single = materials.length === 1 && materials[0] >= 0 ? [materials[0]] : [];
    return {
      head: `def Mesh ${quoted(id)}`,
      metadata: [
        'prepend apiSchemas = ["SkelBindingAPI", "MaterialBindingAPI"]',
        ...displayName(this.#scene.nodes[k].name, id),
      ],
      body: [
        'uniform token subdivisionScheme = "none"',
        `int[] faceVertexCounts = ${ints(new Array(corners.length / 3).fill(3))}`,
        `int[] faceVertexIndices = ${ints(corners)}`,
        `point3f[] points = ${tuples(
          joined(blocks, 3, ({ positions }) => positions),
          3,
        )}`,
        ...attribute(blocks, 3, ({ normals }) => normals, 'normal3f[] normals'),
        ...attribute(blocks, 2, ({ uvs }) => upsideDown(uvs), 'texCoord2f[] primvars:st'),
        ...attribute(blocks, 2, ({ uvs2 }) => upsideDown(uvs2), 'texCoord2f[] primvars:st1'),
        ...attribute(blocks, 3, rgbOf, 'color3f[] primvars:displayColor'),
        ...this.#binding(k, mesh, skin, bind.geometry),
        `rel skel:skeleton = <${this.#root}/Skeleton_${bind.skeleton}>`,
        ...(shapes.length > 0
          ? [
              `uniform token[] skel:blendShapes = ${tokens(shapes.map(({ name }) => name))}`,
              `rel skel:blendShapeTargets = [${shapes.map(({ prim }) => `<${path}/${prim}>`).join(', ')}]`,
            ]
          : []),
        ...single.map((material) => `rel material:binding = <${this.#materials.path(material)}>`),
        ...(subsets.length > 0 ? ['uniform token subsetFamily:materialBind:familyType = "partition"'] : []),
      ],
      children: [...subsets, ...shapes.map(({ content }) => content)],
    };
  }

  #binding(k: number, { blocks }: SceneMesh, skin: number, geometry: Transform): string[] {
    const n = blocks.reduce((sum, { positions }) => sum + positions.length / 3, 0);
    const joints = skin >= 0 ? this.#scene.skins[skin].joints : [k];
    const slots = skin >= 0 ? blocks.reduce((most, { weights }) => Math.max(most, weights?.slots ?? 1), 1) : 1;
    const indices = new Int32Array(n * slots);
    const weights = new Float32Array(n * slots);
    let v = 0;
    for (const block of blocks) {
      const own = skin >= 0 ? block.weights : undefined;
      for (let i = 0; i < block.positions.length / 3; i++, v++) {
        for (let s = 0; s < (own?.slots ?? 1); s++) {
          const joint = joints[own ? own.bones[i * own.slots + s] : 0];
          indices[v * slots + s] = this.#joints.indices.get(joint) ?? 0;
          weights[v * slots + s] = own ? own.weights[i * own.slots + s] : 1;
        }
      }
    }
    const detail = (size: number) => [`    elementSize = ${size}`, '    interpolation = "vertex"', ')'];
    return [
      `int[] primvars:skel:jointIndices = ${ints(indices)} (`,
      ...detail(slots),
      `float[] primvars:skel:jointWeights = ${floats(weights)} (`,
      ...detail(slots),
      `matrix4d primvars:skel:geomBindTransform = ${matrix(geometry)}`,
    ];
  }

  #subsets(parts: readonly { readonly material: number; readonly triangles: Uint32Array }[]): Prim[] {
    const faces = new Map<number, number[]>();
    let face = 0;
    for (const { material, triangles } of parts) {
      const list = faces.get(material) ?? [];
      faces.set(material, list);
      for (let c = 0; c < triangles.length; c += 3) list.push(face++);
    }
    const taken = new Set<string>();
    return [...faces].map(([material, list]) => ({
      head: `def GeomSubset ${quoted(identifier(this.#scene.materials[material]?.name ?? '', taken, 'part'))}`,
      metadata: ['prepend apiSchemas = ["MaterialBindingAPI"]'],
      body: [
        'uniform token elementType = "face"',
        'uniform token familyName = "materialBind"',
        `int[] indices = ${ints(list)}`,
        ...(material >= 0 ? [`rel material:binding = <${this.#materials.path(material)}>`] : []),
      ],
    }));
  }

  #shapePrims(k: number, id: string, { blocks, targetNames }: SceneMesh) {
    const taken = new Set<string>();
    return targetNames.map((targetName, target) => {
      const prim = identifier(targetName, taken, `shape_${target}`);
      const name = `${id}_${prim}`;
      this.#shapes.push({ name, node: k, target });
      const all = joined(blocks, 3, ({ targets, positions }) => targets[target] ?? new Float32Array(positions.length));
      const moved = [...Array(all.length / 3).keys()].filter((i) => all[3 * i] || all[3 * i + 1] || all[3 * i + 2]);
      const offsets = moved.flatMap((i) => [all[3 * i], all[3 * i + 1], all[3 * i + 2]]);
      const content: Prim = {
        head: `def BlendShape ${quoted(prim)}`,
        metadata: displayName(targetName, prim),
        body: [`uniform vector3f[] offsets = ${tuples(offsets, 3)}`, `uniform int[] pointIndices = ${ints(moved)}`],
      };
      return { prim, name, content };
    });
  }
}

function joined(blocks: readonly SceneBlock[], size: number, take: (block: SceneBlock) => Float32Array): Float32Array {
  if (blocks.length === 1) return take(blocks[0]);
  const out = new Float32Array(blocks.reduce((sum, { positions }) => sum + (positions.length / 3) * size, 0));
  let at = 0;
  for (const block of blocks) {
    const values = take(block);
    out.set(values, at);
    at += values.length;
  }
  return out;
}

/** An attribute of vertices that some block has; zeros where others do not. */
function attribute(
  blocks: readonly SceneBlock[],
  size: number,
  take: (block: SceneBlock) => Float32Array | undefined,
  declaration: string,
): string[] {
  if (blocks.every((block) => take(block) === undefined)) return [];
  const values = joined(blocks, size, (block) => take(block) ?? new Float32Array((block.positions.length / 3) * size));
  return [`${declaration} = ${tuples(values, size)} (`, '    interpolation = "vertex"', ')'];
}

/** Textures begin at the lower left in USD, at the upper left in glTF. */
function upsideDown(uvs: Float32Array | undefined): Float32Array | undefined {
  return uvs?.map((value, k) => (k % 2 === 1 ? 1 - value : value));
}

function rgbOf({ colors }: SceneBlock): Float32Array | undefined {
  if (!colors || colors.size === 3) return colors?.values;
  return colors.values.filter((_, k) => k % 4 < 3);
}
