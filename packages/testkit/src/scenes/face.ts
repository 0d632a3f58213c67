/**
 * A head with sliders as artists make them: a jaw that turns about its hinge, lips, lids, brows and cheeks that move
 * alone, left and right. Displacements are smooth, local and not those of any bones.
 *
 * In metres: +y is up, +z where the face looks.
 */
import { type Mesh, resolveOptions } from '@pelt/model';
import { type DistanceField, ellipsoid, limb, smoothUnion } from '../shapes/distance-field.ts';
import { gridLine, surfaceNets } from '../shapes/surface-nets.ts';
import type { Vector } from '../transform.ts';

export interface FaceOptions {
  /** Edge of the grid from which the surface is made. */
  readonly step: number;
}

export const FACE_DEFAULTS: FaceOptions = { step: 0.008 };

/** Blend shapes, as `fitSliders` takes them. */
export interface Face {
  readonly mesh: Mesh;
  readonly names: readonly string[];
  /** S × n × 3 */
  readonly shapes: Float32Array;
}

type Displacement = (p: Vector) => Vector;

export function faceShapes(options?: Partial<FaceOptions>): Face {
  const { step } = resolveOptions('faceShapes', FACE_DEFAULTS, options);
  const mesh = headMesh(step);
  const sliders = Object.entries(SLIDERS);
  const size = mesh.positions.length;
  const shapes = new Float32Array(sliders.length * size);
  sliders.forEach(([, displace], s) => {
    for (let k = 0; k < size; k += 3) {
      const p: Vector = [mesh.positions[k], mesh.positions[k + 1], mesh.positions[k + 2]];
      const d = displace(p);
      for (let c = 0; c < 3; c++) shapes[s * size + k + c] = p[c] + d[c];
    }
  });
  return { mesh, names: sliders.map(([name]) => name), shapes };
}

const HINGE: Vector = [0, -0.02, -0.01];
const JAW_ANGLE = 0.3;

/** Sliders of both sides have the side as their last letter: L is +x, the person's left. */
const SLIDERS: Readonly<Record<string, Displacement>> = {
  jawOpen,
  jawLeft: pull([0, -0.085, 0.06], 0.05, [0.008, 0, 0]),
  mouthPucker: (p) => scaled(toPoint(p, [0, -0.05, 0.115]), 0.5 * bump(p, [0, -0.05, 0.09], 0.035)),
  ...sided('mouthSmile', [0.03, -0.05, 0.08], 0.03, [0.008, 0.012, -0.004]),
  ...sided('mouthFrown', [0.03, -0.055, 0.08], 0.025, [0.003, -0.01, -0.002]),
  ...sided('eyeBlink', [0.032, 0.03, 0.085], 0.016, [0, -0.007, 0.001]),
  ...sided('browUp', [0.032, 0.055, 0.085], 0.025, [0, 0.009, 0.001]),
  ...sided('browDown', [0.026, 0.052, 0.087], 0.02, [-0.003, -0.007, 0.001]),
  ...sided('cheekPuff', [0.045, -0.025, 0.07], 0.032, [0.009, 0, 0.007]),
};

function jawOpen(p: Vector): Vector {
  const share = smooth(0.02, -0.055, p[1]) * smooth(-0.03, 0.04, p[2]);
  const [sin, cos] = [Math.sin(JAW_ANGLE * share), Math.cos(JAW_ANGLE * share)];
  const [y, z] = [p[1] - HINGE[1], p[2] - HINGE[2]];
  return [0, cos * y - sin * z - y, sin * y + cos * z - z];
}

function pull(at: Vector, reach: number, by: Vector): Displacement {
  return (p) => scaled(by, bump(p, at, reach));
}

function sided(name: string, at: Vector, reach: number, by: Vector): Record<string, Displacement> {
  return {
    [`${name}_L`]: pull(at, reach, by),
    [`${name}_R`]: pull([-at[0], at[1], at[2]], reach, [-by[0], by[1], by[2]]),
  };
}

/** 1 at a point, 0 from `reach` · 2 on, with a continuous slope. */
function bump(p: Vector, at: Vector, reach: number): number {
  const [x, y, z] = toPoint(p, at);
  const q = 1 - (x * x + y * y + z * z) / (4 * reach * reach);
  return q > 0 ? q * q * q : 0;
}

function smooth(from: number, to: number, x: number): number {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

function toPoint(p: Vector, at: Vector): Vector {
  return [at[0] - p[0], at[1] - p[1], at[2] - p[2]];
}

function scaled(v: Vector, by: number): Vector {
  return [by * v[0], by * v[1], by * v[2]];
}

function headMesh(step: number): Mesh {
  const field: DistanceField = smoothUnion(
    0.012,
    ellipsoid([0, 0.035, -0.01], [0.078, 0.095, 0.095]),
    ellipsoid([0, -0.04, 0.02], [0.056, 0.062, 0.066]),
    ellipsoid([0, -0.088, 0.062], [0.02, 0.014, 0.016]),
    // Nose, brows, eyeballs, lips, ears.
    limb([0, 0.03, 0.082], 0.008, [0, -0.012, 0.1], 0.012),
    limb([-0.045, 0.052, 0.068], 0.007, [0.045, 0.052, 0.068], 0.007),
    ellipsoid([0.03, 0.03, 0.072], [0.015, 0.013, 0.015]),
    ellipsoid([-0.03, 0.03, 0.072], [0.015, 0.013, 0.015]),
    limb([-0.02, -0.045, 0.079], 0.005, [0.02, -0.045, 0.079], 0.005),
    limb([-0.016, -0.057, 0.078], 0.006, [0.016, -0.057, 0.078], 0.006),
    ellipsoid([0.08, 0.01, -0.01], [0.008, 0.026, 0.014]),
    ellipsoid([-0.08, 0.01, -0.01], [0.008, 0.026, 0.014]),
  );
  const grid = {
    x: gridLine(-0.1, [0.1, step]),
    y: gridLine(-0.13, [0.15, step]),
    z: gridLine(-0.12, [0.14, step]),
  };
  return surfaceNets('face', field, grid);
}
