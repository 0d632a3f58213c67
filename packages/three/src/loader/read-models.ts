/** The models of a file, from its extensions and the meshes that GLTFLoader made. */
import type { EigenSkinExamples, Rig, SkinWeights } from '@pelt/model';
import {
  DYNAMICS_EXTENSION,
  decodeDynamics,
  decodeEigenSkin,
  decodeEnvelope,
  decodeLayers,
  decodePoser,
  EIGENSKIN_EXTENSION,
  ENVELOPE_EXTENSION,
  type FileLayers,
  POSER_EXTENSION,
  TWO_LAYER_EXTENSION,
} from '@pelt/model/internal';
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { envelopeModel, type PeltModel, poserModel, twoLayerModel } from '../model/pelt-model.ts';
import type { SkinSurface } from '../model/skin-surface.ts';
import { readExtension } from './extension-arrays.ts';

/** The learnt skin of a file over a rig whose bones are the file's joints; undefined where there is none. */
export async function readEnvelopeModel(parser: GLTFParser, rig: Rig): Promise<PeltModel | undefined> {
  const extension = await readExtension(parser, ENVELOPE_EXTENSION);
  if (!extension) return undefined;
  const { rig: _rig, skin, ...driver } = decodeEnvelope(extension, rig);
  const palette = driver.proxies + (driver.addedJoints ?? 0) + rig.bones.length;
  const swinging = await readExtension(parser, DYNAMICS_EXTENSION);
  const dynamics = swinging && decodeDynamics(swinging, rig.bones.length, palette);
  return envelopeModel(skin, driver, rig.weights, dynamics);
}

/** The poser of a file; its details are the morph targets of the surface. */
export async function readPoserModel(
  parser: GLTFParser,
  rig: Rig,
  surface: Pick<SkinSurface, 'morphCount' | 'morph'>,
): Promise<PeltModel | undefined> {
  const extension = await readExtension(parser, POSER_EXTENSION);
  if (!extension) return undefined;
  const details = () => Array.from({ length: surface.morphCount }, (_, e) => surface.morph(e));
  const { rig: _rig, ...rest } = decodePoser(extension, rig, details);
  return poserModel(rig.weights, rest);
}

/** The first layer of a two-layer skin; undefined where there is none. */
export async function readLayers(parser: GLTFParser): Promise<FileLayers | undefined> {
  const extension = await readExtension(parser, TWO_LAYER_EXTENSION);
  return extension && decodeLayers(extension);
}

/** @param skin  n × K over all joints of the file, of which the first are virtual */
export function layersModel({ virtual, masters }: FileLayers, skin: SkinWeights, joints: number): PeltModel {
  return twoLayerModel(skin, masters, joints - virtual);
}

/** How the morph targets of a file follow its joints; undefined where they do not. */
export async function readEigenSkin(parser: GLTFParser): Promise<EigenSkinExamples | undefined> {
  const extension = await readExtension(parser, EIGENSKIN_EXTENSION);
  return extension && decodeEigenSkin(extension);
}
