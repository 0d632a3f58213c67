/** Morph targets as expressions of VRM: those that it knows by what they are called, all others by their own names. */
import type { SceneNode } from '../scene/file-scene.ts';

/** Presets of VRM 1, with what other tools call them: VRM 0, the blend shapes of ARKit, visemes. */
const PRESETS: Readonly<Record<string, readonly string[]>> = {
  happy: ['happy', 'joy', 'smile'],
  angry: ['angry'],
  sad: ['sad', 'sorrow'],
  relaxed: ['relaxed', 'fun'],
  surprised: ['surprised', 'surprise'],
  aa: ['aa', 'a', 'visemeaa', 'jawopen', 'mouthopen'],
  ih: ['ih', 'i', 'visemei', 'visemeih'],
  ou: ['ou', 'u', 'visemeu', 'visemeou'],
  ee: ['ee', 'e', 'visemee'],
  oh: ['oh', 'o', 'visemeo', 'visemeoh'],
  blink: ['blink', 'eyesclosed'],
  blinkLeft: ['blinkleft', 'blinkl', 'eyeblinkleft'],
  blinkRight: ['blinkright', 'blinkr', 'eyeblinkright'],
  lookUp: ['lookup', 'eyeslookup'],
  lookDown: ['lookdown', 'eyeslookdown'],
  lookLeft: ['lookleft'],
  lookRight: ['lookright'],
  neutral: ['neutral'],
};

export const PRESET_NAMES: readonly string[] = Object.keys(PRESETS);

interface MorphBind {
  readonly node: number;
  readonly index: number;
  readonly weight: number;
}

export interface VrmExpressions {
  readonly preset: Record<string, { readonly morphTargetBinds: MorphBind[] }>;
  readonly custom: Record<string, { readonly morphTargetBinds: MorphBind[] }>;
}

/** @param targetNames  of each mesh */
export function expressionsOf(
  nodes: readonly SceneNode[],
  targetNames: readonly (readonly string[])[],
): VrmExpressions {
  const preset: VrmExpressions['preset'] = {};
  const custom: VrmExpressions['custom'] = {};
  const presetOf = new Map(Object.entries(PRESETS).flatMap(([name, words]) => words.map((word) => [word, name])));
  nodes.forEach(({ mesh }, node) => {
    if (mesh < 0) return;
    targetNames[mesh].forEach((name, index) => {
      const word = name
        .toLowerCase()
        .replace(/^.*[.:|]/, '')
        .replace(/[^a-z0-9]/g, '');
      const known = presetOf.get(word);
      const [list, key] = known ? [preset, known] : [custom, name];
      // Meshes that share a target's name move together.
      list[key] ??= { morphTargetBinds: [] };
      list[key].morphTargetBinds.push({ node, index, weight: 1 });
    });
  });
  return { preset, custom };
}
