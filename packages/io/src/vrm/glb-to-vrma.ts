/**
 * The clips of a character as a VRM animation: motion of the human body and of its expressions, without the mesh, for any
 * avatar.
 *
 * Reference: VRM Consortium. VRMC_vrm_animation-1.0. An expression is the translation along x of a node of its own.
 */
import { InputError, resolveOptions } from '@pelt/model';
import { readGlbContainer, writeGlbContainer } from '../gltf/glb-container.ts';
import { isObject, type JsonObject, objectsOf, textOf } from '../gltf/json-shape.ts';
import { labelled, openDocument } from '../gltf/open-document.ts';
import { READ_GLTF_DEFAULTS, type ReadGltfOptions } from '../gltf/read-gltf.ts';
import type { GltfAnimation, GltfChannel } from '../gltf/scene.ts';
import { identityTrs } from '../gltf/transform.ts';
import { fileLabel } from '../read-options.ts';
import { clipKeys } from '../scene/clip-keys.ts';
import type { FileScene, SceneNode } from '../scene/file-scene.ts';
import { gltfToScene } from '../scene/gltf-to-scene.ts';
import { sceneToGlb } from '../scene/scene-to-glb.ts';
import { WarningTally } from '../warning-tally.ts';
import { type FileExpression, fileExpressions } from './file-expressions.ts';
import { REQUIRED_BONES } from './glb-to-vrm.ts';
import { HumanMotion, humanBones } from './human-motion.ts';
import { readHumanoid } from './read-humanoid.ts';

export interface VrmaOptions extends ReadGltfOptions {
  /** Node of each bone of the body, by the names of VRM 1, where the file does not say. */
  readonly humanoid: Readonly<Record<string, number>>;
}

export const VRMA_DEFAULTS: VrmaOptions = { ...READ_GLTF_DEFAULTS, humanoid: {} };

const EXTENSION = 'VRMC_vrm_animation';
/** Of expressions, so that they share no name with a bone. */
const PREFIX = 'expression ';

/**
 * Makes a VRM animation of all clips of a character: bones of the body with their rotations, the way of the hips, and
 * expressions from curves of morph targets.
 *
 * @param bytes  of a glTF or GLB; of a VRM the humanoid is known
 * @throws InputError where it has no clip, or lacks a bone that VRM requires
 * @example
 * {@includeCode ../../examples/vrma.ts}
 */
export async function glbToVrma(bytes: Uint8Array, options?: Partial<VrmaOptions>): Promise<Uint8Array<ArrayBuffer>> {
  const { name, onWarning, resolve, humanoid } = resolveOptions('glbToVrma', VRMA_DEFAULTS, options);
  const label = fileLabel('glTF', name);
  const warnings = new WarningTally(label, onWarning);
  try {
    const document = await openDocument(bytes, resolve, warnings);
    const { json } = document;
    const scene = await gltfToScene(document, '', warnings);
    if (scene.clips.length === 0) throw new InputError('it has no clip, so there is no motion in it');
    const named = readHumanoid(json);
    const placed = named.size > 0 ? named : new Map(Object.entries(humanoid).map(([bone, node]) => [node, bone]));
    const known = new Set(placed.values());
    const missing = REQUIRED_BONES.filter((bone) => !known.has(bone));
    if (missing.length > 0)
      throw new InputError(`a VRM animation is of a human body; no bone is found for ${missing.join(', ')}`);
    const bones = humanBones(scene, placed);
    const motion = new HumanMotion(scene, bones, facesBack(json));
    const faces = new FaceCurves(scene, fileExpressions(json, scene), bones.length);
    const clips = scene.clips.map(
      (clip): GltfAnimation => ({ ...clip, channels: [...motion.clip(clip), ...faces.clip(clip)] }),
    );
    if (faces.left > 0)
      warnings.add(`${faces.left} morph targets move that belong to no expression; they are left out`);
    const written: FileScene = {
      name: '',
      nodes: [...motion.nodes(), ...faces.nodes()],
      order: Uint32Array.from({ length: bones.length + faces.count }, (_, k) => k),
      meshes: [],
      skins: [],
      clips,
      materials: [],
      images: [],
    };
    return withExtension(await sceneToGlb(written, warnings), faces.used);
  } catch (error) {
    throw labelled(label, error);
  } finally {
    warnings.flush();
  }
}

/** Avatars of VRM 0 look along −Z. */
function facesBack({ extensions }: JsonObject): boolean {
  return isObject(extensions) && 'VRM' in extensions && !('VRMC_vrm' in extensions);
}

/** Curves of morph targets as those of expressions. */
class FaceCurves {
  readonly #expressions: readonly FileExpression[];
  readonly #first: number;
  readonly #left = new Set<string>();

  /** @param first  number of the first node that is free */
  constructor({ clips }: FileScene, expressions: readonly FileExpression[], first: number) {
    this.#first = first;
    const moving = new Set<string>();
    for (const channel of clips.flatMap(({ channels }) => channels)) {
      if (channel.path !== 'weights') continue;
      for (let r = 0; r < channel.size; r++) if (moves(channel, r)) moving.add(`${channel.node} ${r}`);
    }
    // Every target is played by one expression: where it is in several, by the one that moves the fewest.
    const chosen: FileExpression[] = [];
    const taken = new Set<string>();
    for (const expression of [...expressions].sort((a, b) => a.binds.length - b.binds.length)) {
      const keys = expression.binds.map(({ node, index }) => `${node} ${index}`);
      if (!keys.some((key) => moving.has(key)) || keys.some((key) => taken.has(key))) continue;
      for (const key of keys) taken.add(key);
      chosen.push(expression);
    }
    for (const key of moving) if (!taken.has(key)) this.#left.add(key);
    this.#expressions = chosen;
  }

  get used(): readonly FileExpression[] {
    return this.#expressions;
  }

  get count(): number {
    return this.#expressions.length;
  }

  /** Targets that move and that nothing plays. */
  get left(): number {
    return this.#left.size;
  }

  nodes(): SceneNode[] {
    return this.#expressions.map(({ name }) => ({
      name: PREFIX + name,
      parent: -1,
      trs: identityTrs(),
      mesh: -1,
      skin: -1,
      weights: [],
    }));
  }

  clip({ channels }: GltfAnimation): GltfChannel[] {
    return this.#expressions.flatMap(({ binds }, e): GltfChannel[] => {
      for (const { node, index, weight } of binds) {
        const channel = channels.find((own) => own.node === node && own.path === 'weights');
        if (!channel) continue;
        const { times, values } = clipKeys(channel);
        const xs = new Float32Array(3 * times.length);
        for (let t = 0; t < times.length; t++) xs[3 * t] = values[t * channel.size + index] / weight;
        const key = { node: this.#first + e, path: 'translation', interpolation: 'LINEAR', size: 3 } as const;
        return [{ ...key, times: Float32Array.from(times), values: xs }];
      }
      return [];
    });
  }
}

function moves({ values, size }: GltfChannel, r: number): boolean {
  for (let k = r; k < values.length; k += size) if (values[k] !== 0) return true;
  return false;
}

function withExtension(glb: Uint8Array, expressions: readonly FileExpression[]): Uint8Array<ArrayBuffer> {
  const { json: text, binary } = readGlbContainer(glb);
  const json = JSON.parse(new TextDecoder().decode(text)) as JsonObject;
  const names = objectsOf(json, 'nodes').map((node) => textOf(node, 'name'));
  const isFace = new Map(expressions.map(({ name, preset }) => [PREFIX + name, preset]));
  const bones = names.flatMap((name, node) => (isFace.has(name) ? [] : [[name, { node }]]));
  const faces = (preset: boolean) =>
    Object.fromEntries(
      names.flatMap((name, node) => (isFace.get(name) === preset ? [[name.slice(PREFIX.length), { node }]] : [])),
    );
  const written = {
    ...json,
    extensionsUsed: [...(Array.isArray(json.extensionsUsed) ? json.extensionsUsed : []), EXTENSION],
    extensions: {
      ...(isObject(json.extensions) ? json.extensions : {}),
      [EXTENSION]: {
        specVersion: '1.0',
        humanoid: { humanBones: Object.fromEntries(bones) },
        ...(expressions.length > 0 && { expressions: { preset: faces(true), custom: faces(false) } }),
      },
    },
  };
  return writeGlbContainer(new TextEncoder().encode(JSON.stringify(written)), binary);
}
