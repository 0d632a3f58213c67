/** A character in fewer bytes: what its skin keeps for each vertex follows the vertices to their new places. */
import {
  BODY_EXTENSION,
  bodyExtension,
  DYNAMICS_EXTENSION,
  dynamicsExtension,
  ENVELOPE_EXTENSION,
  editGltf,
  envelopeExtension,
  POSER_EXTENSION,
  poserExtension,
  readCharacter,
  readDynamics,
  readEnvelope,
  readGltf,
  readPoser,
  readRig,
} from '@pelt/io';
import { UnsupportedError } from '@pelt/model';
import { type GltfEdit, type RewriteOptions, type RewrittenGltf, rewriteGltf, type Transport } from '@pelt/pack';
import type { GltfFile } from './load-sequence.ts';
import { packDynamics, packEnvelope } from './pack-envelope.ts';

/**
 * Writes a file again, edited and compressed, with everything else as it was. Its error is that of linear blending, as
 * any player shows it, or of the learnt skin, whichever is larger.
 *
 * @param path  of the file, for messages
 */
export async function rewriteCharacter(
  { bytes, resolve }: GltfFile,
  edit: GltfEdit,
  options: Partial<RewriteOptions>,
  path: string,
): Promise<RewrittenGltf> {
  const asset = await readGltf(bytes, { name: path, resolve });
  const [envelope, poser] = [readEnvelope(asset), readPoser(asset)];
  const dynamics = envelope && readDynamics(asset);
  const has = asset.extensions.some(({ name }) => name === BODY_EXTENSION);
  const body = has ? readCharacter(asset).body : undefined;
  if (!envelope && !poser && !body) return rewrite({ bytes, ...edit }, { ...options, resolve }, path);
  const without = [ENVELOPE_EXTENSION, DYNAMICS_EXTENSION, POSER_EXTENSION, BODY_EXTENSION];
  const plain = await editGltf({ bytes, resolve }, asset, { without });
  const packed = await rewrite({ bytes: plain.bytes, ...edit }, options, path);
  // A file that is not to be compressed keeps its arrays as they are.
  const packs = options.compress !== undefined;
  const learnt = packs && envelope ? await packEnvelope(envelope, packed.order, readRig(asset).clips) : undefined;
  const extensions = [
    ...(learnt ? [learnt.extension] : envelope ? [envelopeExtension(envelope, packed.order)] : []),
    ...(dynamics ? [packs ? await packDynamics(dynamics) : dynamicsExtension(dynamics)] : []),
    ...(poser ? [poserExtension(poser, packed.order)] : []),
    ...(body ? [bodyExtension(body, packed.order)] : []),
  ];
  const whole = await editGltf(packed, await readGltf(packed.bytes, { name: path }), { extensions });
  return { ...packed, bytes: whole.bytes, error: Math.max(packed.error, learnt?.error ?? 0) };
}

/** An option that is absent leaves the default. */
export function transportOf(transport: Transport | undefined): { readonly transport?: Transport } {
  return transport === undefined ? {} : { transport };
}

/** What cannot be written again is said with the name of the file. */
async function rewrite(...[input, options, path]: [...Parameters<typeof rewriteGltf>, string]): Promise<RewrittenGltf> {
  try {
    return await rewriteGltf(input, options);
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    throw new UnsupportedError(`'${path}': ${error.message.replace(/^rewriteGltf: /, '')}`, { cause: error });
  }
}
