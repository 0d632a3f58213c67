/** Parts of the readers for the packages beside this one; they may change with any version. */
export { FrameBaker, STILL } from './gltf/bake-sequence.ts';
export { DRACO, MESHOPT } from './gltf/check-accessors.ts';
export { expandTriangles, TRIANGLE_FAN, TRIANGLES } from './gltf/expand-triangles.ts';
export { writeGlbContainer } from './gltf/glb-container.ts';
export { childOf, isObject, type JsonObject, objectsOf } from './gltf/json-shape.ts';
export { type GltfDocument, labelled, openDocument } from './gltf/open-document.ts';
export { readAsset } from './gltf/read-gltf.ts';
export { loadUri, type ResolveFile } from './gltf/resources.ts';
export { sampleChannel } from './gltf/sample-channel.ts';
export { sampleTimes } from './gltf/sample-times.ts';
export type { GltfAnimation, GltfAsset, GltfChannel, GltfScene, VertexRange } from './gltf/scene.ts';
export { ScenePose } from './gltf/scene-pose.ts';
export { EIGENSKIN_EXTENSION } from './gltf/skin-extensions.ts';
export { SLIDERS_EXTENSION } from './gltf/sliders-extension.ts';
export { determinant, fromColumns } from './gltf/transform.ts';
export { TWO_LAYER_EXTENSION } from './gltf/two-layer-extension.ts';
export { WarningTally } from './warning-tally.ts';
