export {
  ALEMBIC_DEFAULTS,
  AlembicAnimation,
  type AlembicOptions,
} from './alembic/alembic-animation.ts';
export type { AlembicMesh } from './alembic/mesh-object.ts';
export {
  type AlembicArchive,
  OPEN_ALEMBIC_DEFAULTS,
  type OpenAlembicOptions,
  openAlembic,
} from './alembic/open-alembic.ts';
export { READ_ALEMBIC_DEFAULTS, type ReadAlembicOptions, readAlembicSequence } from './alembic/read-alembic.ts';
export { WRITE_ALEMBIC_DEFAULTS, type WriteAlembicOptions, writeAlembic } from './alembic/write-alembic.ts';
export { jointPositions } from './bvh/joint-positions.ts';
export { readBvh } from './bvh/read-bvh.ts';
export { clipFromSkeleton, skeletonFromClip } from './bvh/skeleton-clip.ts';
export { writeBvh } from './bvh/write-bvh.ts';
export { type ByteSource, sourceOfBytes } from './byte-source.ts';
export { detectFormat, type FileFormat, HEAD_BYTES } from './detect.ts';
export { FBX_DEFAULTS, type FbxOptions, fbxToGlb } from './fbx/fbx-to-glb.ts';
export { glbToFbx } from './fbx/glb-to-fbx.ts';
export { FrameMeshes } from './frame-meshes.ts';
export {
  emptySequence,
  evenFrames,
  type FrameSource,
  READ_FRAMES_DEFAULTS,
  type ReadFramesOptions,
  readFrames,
} from './frame-source.ts';
export { FRAMES_DEFAULTS, type FrameFile, FrameFiles, type FramesOptions, sequenceFromFrames } from './frames.ts';
export { BAKE_DEFAULTS, type BakeOptions, bakeSequence, FrameBaker, GltfMotion } from './gltf/bake-sequence.ts';
export { BODY_EXTENSION, bodyExtension, readBody } from './gltf/body-extension.ts';
export { DYNAMICS_EXTENSION, dynamicsExtension, readDynamics } from './gltf/dynamics-extension.ts';
export { type EditedGltf, editGltf, type GltfChanges, type StoredGltf } from './gltf/edit/edit-gltf.ts';
export { unkeptOf } from './gltf/edit/unkept.ts';
export { ENVELOPE_EXTENSION, envelopeExtension, readEnvelope } from './gltf/envelope-extension.ts';
export type { GltfExtension, PayloadArray } from './gltf/extension-payload.ts';
export { GLB_DEFAULTS, type GlbExtensions, type GlbFile, type GlbOptions } from './gltf/glb-options.ts';
export { withKhrMeshopt } from './gltf/khr-meshopt.ts';
export type { WeightFormat } from './gltf/pack-weights.ts';
export { POSER_EXTENSION, poserExtension, readPoser } from './gltf/poser-extension.ts';
export { PUPPET_EXTENSION, puppetExtension, readPuppet } from './gltf/puppet-extension.ts';
export { readCharacter, saveCharacter } from './gltf/read-character.ts';
export { READ_GLTF_DEFAULTS, type ReadGltfOptions, readGltf } from './gltf/read-gltf.ts';
export { readGltfMotion } from './gltf/read-gltf-motion.ts';
export { type GltfRig, READ_RIG_DEFAULTS, type ReadRigOptions, type RigMorphs, readRig } from './gltf/read-rig.ts';
export type { ResolveFile } from './gltf/resources.ts';
export { sampleChannel } from './gltf/sample-channel.ts';
export type { GltfAnimation, GltfAsset, GltfChannel } from './gltf/scene.ts';
export {
  DUAL_QUATERNION_EXTENSION,
  dualQuaternionExtension,
  EIGENSKIN_EXTENSION,
  eigenSkinExtension,
} from './gltf/skin-extensions.ts';
export { type FileSliders, readSliders, SLIDERS_EXTENSION, slidersExtension } from './gltf/sliders-extension.ts';
export { readTwoLayer, TWO_LAYER_EXTENSION, twoLayerExtension } from './gltf/two-layer-extension.ts';
export { type StaticModel, writeGlb } from './gltf/write-glb.ts';
export { MORPH_GLB_DEFAULTS, type MorphGlbOptions, writeMorphGlb } from './gltf/write-morph-glb.ts';
export {
  SKINNED_GLB_DEFAULTS,
  type SkinnedGlbFile,
  type SkinnedGlbOptions,
  type SkinnedModel,
  writeSkinnedGlb,
} from './gltf/write-skinned-glb.ts';
export { mddHeader, openMdd, readMdd, writeMdd } from './mdd/mdd.ts';
export { HAND_JOINTS, setHandLandmarks } from './motion/hand-landmarks.ts';
export { type Landmark, setLandmarks } from './motion/live-landmarks.ts';
export { type MatchedRecording, matchRecording } from './motion/match-sliders.ts';
export { MEDIAPIPE_JOINTS } from './motion/mediapipe-joints.ts';
export { readPairs, writePairs } from './motion/pairs-json.ts';
export {
  type FaceRecording,
  READ_FACE_DEFAULTS,
  type ReadFaceOptions,
  readFaceRecording,
} from './motion/read-face-recording.ts';
export { READ_MOTION_DEFAULTS, type ReadMotionOptions, readMotion } from './motion/read-motion.ts';
export { naturalCompare } from './natural-order.ts';
export { READ_OBJ_DEFAULTS, type ReadObjOptions, readObj } from './obj/read-obj.ts';
export { scanObjFrame } from './obj/scan-obj-frame.ts';
export { WRITE_OBJ_DEFAULTS, type WriteObjOptions, writeObj } from './obj/write-obj.ts';
export {
  openPc2,
  pc2Header,
  READ_PC2_DEFAULTS,
  type ReadPc2Options,
  readPc2,
  WRITE_PC2_DEFAULTS,
  type WritePc2Options,
  writePc2,
} from './pc2/pc2.ts';
export type { PlyEncoding } from './ply/ply-header.ts';
export { readPly } from './ply/read-ply.ts';
export { WRITE_PLY_DEFAULTS, type WritePlyOptions, writePly } from './ply/write-ply.ts';
export { DEFAULT_FPS, type PointCache, sequenceFromCache } from './point-cache.ts';
export { animationFromCache, frameBytes, type PointCacheFile } from './point-cache-file.ts';
export { type OutputFile, READ_DEFAULTS, type ReadOptions } from './read-options.ts';
export { glbToUsda, glbToUsdz } from './usd/glb-to-usd.ts';
export {
  hasUsdFrames,
  openUsdAnimation,
  USD_ANIMATION_DEFAULTS,
  type UsdAnimationOptions,
} from './usd/usd-animation-source.ts';
export { USD_DEFAULTS, type UsdOptions, usdToGlb } from './usd/usd-to-glb.ts';
export { VAT_DEFAULTS, type VatFiles, type VatOptions, writeVat } from './vat/write-vat.ts';
export { type OscArgument, type OscMessage, readOsc, writeOsc } from './vmc/osc.ts';
export { type JointFrame, VmcReceiver } from './vmc/vmc-receiver.ts';
export { type VmcSkeleton, vmcMessages, vmcSkeleton } from './vmc/write-vmc.ts';
export { glbToVrm, REQUIRED_BONES, VRM_DEFAULTS, type VrmOptions } from './vrm/glb-to-vrm.ts';
export { glbToVrma, VRMA_DEFAULTS, type VrmaOptions } from './vrm/glb-to-vrma.ts';
export { springNodes } from './vrm/spring-nodes.ts';
