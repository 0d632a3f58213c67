/** The expressions of an avatar as its file has them, in one form for all versions; of any other file by its morph targets. */
import { isObject, type JsonObject, objectsOf } from '../gltf/json-shape.ts';
import type { FileScene } from '../scene/file-scene.ts';
import { expressionsOf, PRESET_NAMES, type VrmExpressions } from './vrm-expressions.ts';

export interface FileExpression {
  readonly name: string;
  readonly preset: boolean;
  readonly binds: VrmExpressions['preset'][string]['morphTargetBinds'];
}

/** Presets of VRM 0 that have other names in VRM 1. */
const OLD_PRESETS: Readonly<Record<string, string>> = {
  joy: 'happy',
  sorrow: 'sad',
  fun: 'relaxed',
  a: 'aa',
  i: 'ih',
  u: 'ou',
  e: 'ee',
  o: 'oh',
  blink_l: 'blinkLeft',
  blink_r: 'blinkRight',
  lookup: 'lookUp',
  lookdown: 'lookDown',
  lookleft: 'lookLeft',
  lookright: 'lookRight',
};

/** What refers to no morph target of the file is passed over. */
export function fileExpressions(json: JsonObject, scene: FileScene): FileExpression[] {
  const extensions = isObject(json.extensions) ? json.extensions : {};
  const found = isObject(extensions.VRMC_vrm)
    ? ofVersion1(extensions.VRMC_vrm)
    : isObject(extensions.VRM)
      ? ofVersion0(extensions.VRM, json)
      : ofTargets(scene);
  const isTarget = (node: number, index: number) =>
    scene.nodes[node] !== undefined &&
    scene.nodes[node].mesh >= 0 &&
    index in scene.meshes[scene.nodes[node].mesh].targetNames;
  return found.flatMap(({ binds, ...rest }) => {
    const own = binds.filter(({ node, index, weight }) => weight > 0 && isTarget(node, index));
    return own.length > 0 ? [{ ...rest, binds: own }] : [];
  });
}

function ofVersion1({ expressions }: JsonObject): FileExpression[] {
  if (!isObject(expressions)) return [];
  return (['preset', 'custom'] as const).flatMap((kind) => {
    const list = expressions[kind];
    return Object.entries(isObject(list) ? list : {}).map(([name, value]): FileExpression => {
      const binds = isObject(value) ? objectsOf(value, 'morphTargetBinds') : [];
      return {
        name,
        preset: kind === 'preset',
        binds: binds.map(({ node, index, weight }) => ({
          node: Number(node),
          index: Number(index),
          weight: Number(weight ?? 1),
        })),
      };
    });
  });
}

/** Its binds are of meshes, in per cent. */
function ofVersion0({ blendShapeMaster }: JsonObject, json: JsonObject): FileExpression[] {
  const groups = isObject(blendShapeMaster) ? objectsOf(blendShapeMaster, 'blendShapeGroups') : [];
  const nodes = objectsOf(json, 'nodes');
  return groups.map(({ name, presetName, binds }, k): FileExpression => {
    const word = String(presetName ?? '').toLowerCase();
    const known = OLD_PRESETS[word] ?? word;
    const preset = PRESET_NAMES.includes(known);
    return {
      name: preset ? known : String(name ?? `expression-${k}`),
      preset,
      binds: (Array.isArray(binds) ? binds.filter(isObject) : []).flatMap((bind) =>
        nodes.flatMap(({ mesh }, node) =>
          mesh !== undefined && mesh === bind.mesh
            ? [{ node, index: Number(bind.index), weight: Number(bind.weight ?? 100) / 100 }]
            : [],
        ),
      ),
    };
  });
}

function ofTargets({ nodes, meshes }: FileScene): FileExpression[] {
  const names = meshes.map(({ targetNames }) => targetNames);
  const { preset, custom } = expressionsOf(nodes, names);
  const listed = (list: VrmExpressions['preset'], isPreset: boolean) =>
    Object.entries(list).map(([name, { morphTargetBinds }]) => ({ name, preset: isPreset, binds: morphTargetBinds }));
  return [...listed(preset, true), ...listed(custom, false)];
}
