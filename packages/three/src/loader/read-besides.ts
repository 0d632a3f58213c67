/** What a file may have beside its skin: pairs of poses, and a solid. Loaded with the first file that has any. */
import type { SavedBody, SavedPuppet } from '@pelt/model';
import { BODY_EXTENSION, decodeBody, decodePuppet, PUPPET_EXTENSION } from '@pelt/model/internal';
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { readExtension } from './extension-arrays.ts';

export interface Besides {
  /** Pairs of poses: what `PuppetDriver` takes, and `createPuppet` of @pelt/skin/puppet/runtime. */
  readonly puppet?: SavedPuppet;
  /** A solid: what `VolumeDriver` takes, over the vertices of the file's one mesh. */
  readonly body?: SavedBody;
}

/** The character that they belong to: the name of its mesh, n vertices of all its primitives, m joints that drive it. */
export interface Owner {
  readonly name: string;
  readonly vertices: number;
  readonly joints: number;
}

export async function readBesides(parser: GLTFParser, { name, vertices, joints }: Owner): Promise<Besides> {
  const pairs = await readExtension(parser, PUPPET_EXTENSION);
  const solid = await readExtension(parser, BODY_EXTENSION);
  return {
    ...(pairs && { puppet: decodePuppet(pairs, joints) }),
    ...(solid && { body: decodeBody(solid, name, vertices, joints) }),
  };
}
