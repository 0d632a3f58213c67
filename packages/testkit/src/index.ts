export { CHARACTER_ASSET_DEFAULTS, type CharacterAssetOptions, characterAsset } from './assets/character-asset.ts';
export { GlbBuilder } from './assets/glb-builder.ts';
export { smallestDynamics, smallestEnvelope, smallestPoser, triangleRig } from './assets/smallest-models.ts';
export { barCharacter } from './characters/bar.ts';
export { type Character, characterOf } from './characters/character.ts';
export { dogCharacter } from './characters/dog.ts';
export { flourSackCharacter } from './characters/flour-sack.ts';
export { octopusCharacter } from './characters/octopus.ts';
export {
  PERFORMER_BONES,
  PERFORMER_JOINTS,
  PERFORMER_POSES,
  type PerformerPlace,
  performerPose,
} from './characters/performer.ts';
export { PERSON_DEFAULTS, type PersonOptions, personRig } from './characters/person.ts';
export { stickRig } from './characters/stick-rig.ts';
export { extremities } from './extremities.ts';
export type { DriveMotion, MotionKind } from './physics/drive-motion.ts';
export type { Mode } from './physics/lattice.ts';
export type { Capsule } from './physics/simulate.ts';
export { realData, realDataFolder } from './real-data.ts';
export { blendFrames, type Scene } from './scene.ts';
export { ARM_DEFAULTS, type ArmOptions, armScene } from './scenes/arm.ts';
export { BAR_DEFAULTS, type BarOptions, barScene } from './scenes/bar.ts';
export { BEND_TWIST_DEFAULTS, type BendTwistOptions, bendTwistScene } from './scenes/bend-twist.ts';
export { CHAIN_DEFAULTS, type ChainJoint, type ChainOptions, chainScene, type JointKind } from './scenes/chain.ts';
export { CREATURE_DEFAULTS, type CreatureOptions, creatureScene } from './scenes/creature.ts';
export { CYLINDER_DEFAULTS, type Cylinder, type CylinderOptions, cylinder } from './scenes/cylinder.ts';
export { ELBOW_DEFAULTS, type ElbowOptions, elbowScene } from './scenes/elbow.ts';
export { FACE_DEFAULTS, type Face, type FaceOptions, faceShapes } from './scenes/face.ts';
export { SHOULDER_DEFAULTS, type ShoulderOptions, shoulderScene } from './scenes/shoulder.ts';
export { type SwingName, type SwingScene, type SwingTake, swingScene, type TakeOptions } from './scenes/swing.ts';
export { carriedTriangles, crossingPairs, roughness } from './surface-quality.ts';
