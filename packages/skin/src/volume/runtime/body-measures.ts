import { type TetMesh, tetrahedronCount, tetrahedronDeterminant } from '@pelt/model';

/** Quality measures of a posed body. */
export interface BodyMeasures {
  /** Volume relative to that of the rest pose. */
  readonly volume: number;
  /** Number of inverted tetrahedra. */
  readonly inverted: number;
}

/**
 * Measures the volume and the inversions of a posed body.
 *
 * @param positions  v × 3 posed vertices of the body
 *
 * @example
 * {@includeCode ../../../examples/measure-body.ts}
 */
export function measureBody(body: TetMesh, positions: ArrayLike<number>): BodyMeasures {
  let posed = 0;
  let rest = 0;
  let inverted = 0;
  for (let e = 0; e < tetrahedronCount(body); e++) {
    const determinant = tetrahedronDeterminant(positions, body.tetrahedra, e);
    posed += determinant;
    rest += tetrahedronDeterminant(body.positions, body.tetrahedra, e);
    if (!(determinant > 0)) inverted++;
  }
  return { volume: posed / rest, inverted };
}
