/**
 * Which way a template may be turned to lie in a body: about the axes, and about the mirror plane of the body where it has
 * one. What is up in the template is preferred to be up in the body.
 */
import type { RunContext } from '@pelt/model';
import { type MirrorPlane, mirrorPlane } from '../skeleton/mirror-plane.ts';

export interface Frame {
  /** 3 × 3, from the template's axes to the body's */
  readonly turn: readonly number[];
  /** What it costs not to be upright. */
  readonly price: number;
}

/** Prices of up being up, of Z being up, and of anything else. */
const [UPRIGHT, Z_UP, FALLEN] = [0, 0.4, 1.5];
/** Normals closer to an axis than this are that axis. */
const ALONG_AXIS = 0.999;

export interface Frames {
  readonly frames: readonly Frame[];
  readonly mirror: MirrorPlane;
}

/** @param positions  n × 3 */
export function framesOf(positions: Float64Array, run?: RunContext): Frames {
  const across = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const mirror = mirrorPlane(positions, run);
  const { normal } = mirror;
  if (!across.some((axis) => Math.abs(dot(axis, normal)) > ALONG_AXIS)) across.push([...normal]);
  const frames = across.flatMap((axis) =>
    [1, -1].flatMap((sign) => {
      const x = axis.map((value) => sign * value);
      // Up as near to each of the axes as it can be across x.
      return [
        [0, 1, 0],
        [0, -1, 0],
        [0, 0, 1],
        [0, 0, -1],
        [1, 0, 0],
        [-1, 0, 0],
      ].flatMap((up) => {
        const along = dot(up, x);
        if (Math.abs(along) > 0.6) return [];
        const y = up.map((value, d) => value - along * x[d]);
        const size = Math.hypot(y[0], y[1], y[2]);
        const unit = y.map((value) => value / size);
        const z = [x[1] * unit[2] - x[2] * unit[1], x[2] * unit[0] - x[0] * unit[2], x[0] * unit[1] - x[1] * unit[0]];
        const price = UPRIGHT + (up[1] === 1 ? UPRIGHT : up[2] === 1 ? Z_UP : FALLEN);
        return [{ turn: [0, 1, 2].flatMap((d) => [x[d], unit[d], z[d]]), price }];
      });
    }),
  );
  return { frames, mirror };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
