/** The methods of pelt, one folder each; every folder is a subpath of its own: `@pelt/skin/pose`. */

export * from './capsules/index.ts';
export * from './decompose/index.ts';
export * from './dynamics/index.ts';
export * from './embed/index.ts';
export * from './envelope/index.ts';
export * from './play/runtime/index.ts';
export * from './pose/index.ts';
export * from './puppet/index.ts';
export * from './reduce/index.ts';
export * from './shared/blending/index.ts';
export * from './skeleton/index.ts';
export * from './sliders/index.ts';
export * from './teach/index.ts';
export * from './tetrahedra/index.ts';
export * from './volume/index.ts';
