/** Row-major 3 × 4 [R | t], twelve numbers, in plain arithmetic: enough to move the bones of a scene. */
export type Transform = readonly number[];
export type Vector = readonly [number, number, number];

export const IDENTITY: Transform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** a ∘ b: first b, then a. */
export function compose(a: Transform, b: Transform): Transform {
  const out = new Array<number>(12);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 4; c++) {
      const last = c === 3 ? a[4 * r + 3] : 0;
      out[4 * r + c] = a[4 * r] * b[c] + a[4 * r + 1] * b[4 + c] + a[4 * r + 2] * b[8 + c] + last;
    }
  }
  return out;
}

export function apply(transform: Transform, [x, y, z]: Vector): Vector {
  const row = (r: number) => transform[r] * x + transform[r + 1] * y + transform[r + 2] * z + transform[r + 3];
  return [row(0), row(4), row(8)];
}

export function translation([x, y, z]: Vector): Transform {
  return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
}

/** Turn by `angle` radians about an axis of any length through `center` (Rodrigues' formula). */
export function turnAbout(center: Vector, axis: Vector, angle: number): Transform {
  const length = Math.hypot(...axis);
  if (length === 0 || angle === 0) return IDENTITY;
  const [x, y, z] = axis.map((value) => value / length);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const d = 1 - c;
  const turn: Transform = [
    c + d * x * x,
    d * x * y - s * z,
    d * x * z + s * y,
    0,
    d * x * y + s * z,
    c + d * y * y,
    d * y * z - s * x,
    0,
    d * x * z - s * y,
    d * y * z + s * x,
    c + d * z * z,
    0,
  ];
  const moved = apply(turn, center);
  return turn
    .with(3, center[0] - moved[0])
    .with(7, center[1] - moved[1])
    .with(11, center[2] - moved[2]);
}
