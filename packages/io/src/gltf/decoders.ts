/// <reference path="./draco-module.d.ts" />
import type { Extension } from '@gltf-transform/core';
import { DRACO, MESHOPT } from './check-accessors.ts';

/**
 * The decoders of compressed geometry, loaded only when a file asks for them: Draco's alone is a quarter of a megabyte
 * of WebAssembly.
 */
export interface Decoders {
  readonly extensions: (typeof Extension)[];
  readonly dependencies: Record<string, unknown>;
}

export async function loadDecoders(needed: ReadonlySet<string>): Promise<Decoders> {
  const extensions: (typeof Extension)[] = [];
  const dependencies: Record<string, unknown> = {};
  if (needed.size === 0) return { extensions, dependencies };
  const { EXTMeshoptCompression, KHRDracoMeshCompression } = await import('@gltf-transform/extensions');
  if (needed.has(MESHOPT)) {
    const { MeshoptDecoder } = await import('meshoptimizer/decoder');
    await MeshoptDecoder.ready;
    extensions.push(EXTMeshoptCompression);
    dependencies['meshopt.decoder'] = MeshoptDecoder;
  }
  if (needed.has(DRACO)) {
    extensions.push(KHRDracoMeshCompression);
    dependencies['draco3d.decoder'] = await loadDraco();
  }
  return { extensions, dependencies };
}

async function loadDraco(): Promise<unknown> {
  const { default: createDecoderModule } = await import('draco3dgltf/draco_decoder_gltf_nodejs.js');
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  const inNode = process?.versions?.node !== undefined;
  return createDecoderModule({
    // Node finds the file beside the script. Bundlers copy it and put its address here; they look for exactly this
    // form of `new URL`, with a literal name and `import.meta.url`.
    locateFile: (file, folder) =>
      inNode ? folder + file : new URL('draco3dgltf/draco_decoder_gltf.wasm', import.meta.url).href,
  });
}
