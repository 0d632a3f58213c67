/** draco3dgltf ships no types; the decoder's module is all that is loaded, and only @gltf-transform looks inside. */
declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  const createDecoderModule: (options: { locateFile: (file: string, folder: string) => string }) => Promise<unknown>;
  export default createDecoderModule;
}
