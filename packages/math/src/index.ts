export * from './errors.ts';
export { type Ball, enclosingBall } from './geometry/enclosing-ball.ts';
export { Numerics, type NumericsOptions, openNumerics } from './numerics/numerics.ts';
export type { Block, Scope } from './numerics/scope.ts';
export { SkinningSystem, type Trajectories } from './skinning/skinning-system.ts';
