/** GLB to VRM 1.0: the file as it is, with what makes it an avatar. A file that is a VRM already stays one, of its version. */
import { InputError, resolveOptions, UnsupportedError } from '@pelt/model';
import { isGlb, readGlbContainer, writeGlbContainer } from '../gltf/glb-container.ts';
import { isObject, type JsonObject } from '../gltf/json-shape.ts';
import { labelled, openDocument } from '../gltf/open-document.ts';
import { fileLabel, READ_DEFAULTS, type ReadOptions } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';
import { isVrm } from './read-humanoid.ts';
import { expressionsOf } from './vrm-expressions.ts';

export interface VrmOptions extends ReadOptions {
  /** Node of each bone of the body, by the names of VRM 1: hips, spine, leftUpperArm … */
  readonly humanoid: Readonly<Record<string, number>>;
  /** What the avatar is called; empty: as its first mesh. */
  readonly title: string;
  /** Who made it, for the file's licence; VRM wants at least one. */
  readonly authors: readonly string[];
}

export const VRM_DEFAULTS: VrmOptions = { ...READ_DEFAULTS, humanoid: {}, title: '', authors: ['unknown'] };

/** What an avatar cannot do without. */
const SIDES = ['UpperLeg', 'LowerLeg', 'Foot', 'UpperArm', 'LowerArm', 'Hand'];
export const REQUIRED_BONES: readonly string[] = [
  'hips',
  'spine',
  'head',
  ...SIDES.flatMap((name) => [`left${name}`, `right${name}`]),
];
const LICENCE = 'https://vrm.dev/licenses/1.0/';

/**
 * Makes a VRM 1.0 of a GLB: its humanoid, expressions from morph targets, and what it looks with. Everything else stays.
 *
 * @param bytes  of a GLB; one that is a VRM is given back as it is
 * @throws InputError where a bone is missing that VRM requires
 * @example
 * {@includeCode ../../examples/vrm.ts}
 */
export async function glbToVrm(bytes: Uint8Array, options?: Partial<VrmOptions>): Promise<Uint8Array<ArrayBuffer>> {
  const { name, onWarning, humanoid, title, authors } = resolveOptions('glbToVrm', VRM_DEFAULTS, options);
  const label = fileLabel('glTF', name);
  const warnings = new WarningTally(label, onWarning);
  try {
    if (!isGlb(bytes)) throw new UnsupportedError('a VRM is one binary file; convert it to .glb first');
    const document = await openDocument(bytes, undefined, warnings);
    const { json: text, binary } = readGlbContainer(bytes);
    const json = JSON.parse(new TextDecoder().decode(text)) as JsonObject;
    if (isVrm(json)) return bytes.slice();
    const missing = REQUIRED_BONES.filter((bone) => humanoid[bone] === undefined);
    if (missing.length > 0) {
      throw new InputError(`VRM needs a human body; no bone is found for ${missing.join(', ')}`);
    }
    const { gltfToScene } = await import('../scene/gltf-to-scene.ts');
    const scene = await gltfToScene(document, '', new WarningTally(label, undefined));
    const expressions = expressionsOf(
      scene.nodes,
      scene.meshes.map(({ targetNames }) => targetNames),
    );
    const written = {
      ...json,
      extensionsUsed: [...(Array.isArray(json.extensionsUsed) ? json.extensionsUsed : []), 'VRMC_vrm'],
      extensions: {
        ...(isObject(json.extensions) ? json.extensions : {}),
        VRMC_vrm: {
          specVersion: '1.0',
          meta: {
            name: title || scene.meshes[0]?.name || 'character',
            version: '1',
            authors: [...authors],
            licenseUrl: LICENCE,
          },
          humanoid: {
            humanBones: Object.fromEntries(Object.entries(humanoid).map(([bone, node]) => [bone, { node }])),
          },
          lookAt: lookAt(humanoid),
          expressions,
        },
      },
    };
    return writeGlbContainer(new TextEncoder().encode(JSON.stringify(written)), binary);
  } catch (error) {
    throw labelled(label, error);
  } finally {
    warnings.flush();
  }
}

/** By the eyes where there are any; the angles are those that VRM recommends. */
function lookAt(humanoid: VrmOptions['humanoid']) {
  const range = (outputScale: number) => ({ inputMaxValue: 90, outputScale });
  const bones = humanoid.leftEye !== undefined && humanoid.rightEye !== undefined;
  const scale = bones ? 10 : 1;
  return {
    type: bones ? 'bone' : 'expression',
    offsetFromHeadBone: [0, 0.06, 0],
    rangeMapHorizontalInner: range(scale),
    rangeMapHorizontalOuter: range(scale),
    rangeMapVerticalDown: range(scale),
    rangeMapVerticalUp: range(scale),
  };
}
