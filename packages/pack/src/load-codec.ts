import type { MeshoptCodec } from './packed-views.ts';

/** The Meshopt codec, loaded when it is needed: most files are not packed. */
export async function loadCodec(): Promise<MeshoptCodec> {
  const [{ MeshoptEncoder }, { MeshoptDecoder }] = await Promise.all([
    import('meshoptimizer/encoder'),
    import('meshoptimizer/decoder'),
  ]);
  await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);
  return { encoder: MeshoptEncoder, decoder: MeshoptDecoder };
}
