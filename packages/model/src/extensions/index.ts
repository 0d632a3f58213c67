/** The codecs of pelt's glTF extensions, for what reads files: `@pelt/io`, and `@pelt/three` behind GLTFLoader. */
export * from './body-fields.ts';
export { aboutMiddles, aboutOrigin } from './centred-proxies.ts';
export * from './dynamics-fields.ts';
export * from './envelope-fields.ts';
export * from './names.ts';
export * from './payload.ts';
export * from './poser-fields.ts';
export * from './puppet-fields.ts';
export * from './skin-fields.ts';
export * from './sliders-fields.ts';
export { BONE_COLUMNS, KEY_COLUMNS, sparseMaps } from './sparse-maps.ts';
