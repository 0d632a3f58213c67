export { realData, realDataFolder } from './real-data.ts';
export { blendFrames, type Scene } from './scene.ts';
export { ARM_DEFAULTS, type ArmOptions, armScene } from './scenes/arm.ts';
export { BAR_DEFAULTS, type BarOptions, barScene } from './scenes/bar.ts';
export { CHAIN_DEFAULTS, type ChainJoint, type ChainOptions, chainScene, type JointKind } from './scenes/chain.ts';
export { CREATURE_DEFAULTS, type CreatureOptions, creatureScene } from './scenes/creature.ts';
export { ELBOW_DEFAULTS, type ElbowOptions, elbowScene } from './scenes/elbow.ts';
