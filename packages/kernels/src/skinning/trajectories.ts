/** Example shapes as the solvers take them: trajectories in an orthonormal basis. */
export interface Trajectories {
  /** n × 3 rest positions */
  readonly rest: Float64Array;
  /** r × 3S, orthonormal rows */
  readonly basis: Float64Array;
  /** n × r coefficients of the vertices' trajectories in the basis */
  readonly coefficients: Float64Array;
  /** n squared lengths ‖v_i‖² of the whole trajectories, what the basis leaves out included */
  readonly squaredNorms: Float64Array;
}
