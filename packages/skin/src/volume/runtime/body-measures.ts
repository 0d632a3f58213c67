import { type TetMesh, tetrahedronCount, tetrahedronDeterminant } from '@pelt/model';

/** What a pose did to a body. */
export interface BodyMeasures {
  /** Volume, in volumes of the body at rest. */
  readonly volume: number;
  /** Tetrahedra that are turned inside out. */
  readonly inverted: number;
}

/** @param positions  v × 3 of the body's vertices in the pose */
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
