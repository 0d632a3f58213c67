/**
 * A coloured mesh as a picture, drawn without a browser: orthographic, with a depth buffer and a light at the camera. The
 * camera looks along the shorter horizontal side of the mesh, turned a little, and is the same for every picture of it.
 */
import { cos, sin } from '@pelt/math';
import { boundsOf } from '@pelt/model';
import type { Picture } from './png.ts';

/** Radians by which the camera stands to the side and above. */
const [YAW, PITCH] = [0.5, 0.25];
/** Samples per pixel and axis. */
const OVERSAMPLING = 2;
const MARGIN = 0.04;
const BACKGROUND = 255;
const [AMBIENT, HEADLIGHT] = [0.35, 0.65];

export interface Camera {
  /** 3 × 3, model to view: right, up, towards the camera. */
  readonly axes: Float64Array;
  readonly centre: readonly [number, number];
  /** Half of the longer side of what it sees. */
  readonly extent: number;
  readonly width: number;
  readonly height: number;
}

/** @param positions  n × 3, what the picture has to hold */
export function cameraFor(positions: Float32Array, width: number): Camera {
  const { min, max } = boundsOf(positions);
  const along = max[0] - min[0] >= max[2] - min[2] ? 0 : Math.PI / 2;
  const yaw = along + YAW;
  const [cy, sy, cp, sp] = [cos(yaw), sin(yaw), cos(PITCH), sin(PITCH)];
  const axes = Float64Array.of(cy, 0, -sy, -sy * sp, cp, -cy * sp, sy * cp, sp, cy * cp);
  const [low, high] = [
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ];
  for (let k = 0; k < positions.length; k += 3) {
    for (let a = 0; a < 2; a++) {
      const x = seen(axes, a, positions, k);
      low[a] = Math.min(low[a], x);
      high[a] = Math.max(high[a], x);
    }
  }
  const [w, h] = [high[0] - low[0], high[1] - low[1]];
  const extent = Math.max(w, 1e-12) * (0.5 + MARGIN);
  const height = Math.max(1, Math.min(2 * width, Math.round((width * (h + 4 * MARGIN * extent)) / (2 * extent))));
  return { axes, centre: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2], extent, width, height };
}

/**
 * @param positions  n × 3
 * @param colours    n × 3 in [0, 255]
 */
export function drawMesh(
  positions: Float32Array,
  triangles: Uint32Array,
  colours: Uint8Array,
  camera: Camera,
): Picture {
  const [W, H] = [camera.width * OVERSAMPLING, camera.height * OVERSAMPLING];
  const depth = new Float32Array(W * H).fill(Number.NEGATIVE_INFINITY);
  const fine = new Float32Array(3 * W * H).fill(BACKGROUND);
  const n = positions.length / 3;
  const view = new Float64Array(3 * n);
  const scale = W / (2 * camera.extent);
  for (let i = 0; i < n; i++) {
    view[3 * i] = W / 2 + scale * (seen(camera.axes, 0, positions, 3 * i) - camera.centre[0]);
    view[3 * i + 1] = H / 2 - scale * (seen(camera.axes, 1, positions, 3 * i) - camera.centre[1]);
    view[3 * i + 2] = scale * seen(camera.axes, 2, positions, 3 * i);
  }
  for (let f = 0; f < triangles.length; f += 3)
    drawTriangle(view, triangles.subarray(f, f + 3), colours, W, H, depth, fine);
  return averaged(fine, camera);
}

function seen(axes: Float64Array, row: number, p: Float32Array, at: number): number {
  return axes[3 * row] * p[at] + axes[3 * row + 1] * p[at + 1] + axes[3 * row + 2] * p[at + 2];
}

function drawTriangle(
  view: Float64Array,
  corners: Uint32Array,
  colours: Uint8Array,
  W: number,
  H: number,
  depth: Float32Array,
  out: Float32Array,
): void {
  const [a, b, c] = [3 * corners[0], 3 * corners[1], 3 * corners[2]];
  const [ux, uy, uz] = [view[b] - view[a], view[b + 1] - view[a + 1], view[b + 2] - view[a + 2]];
  const [vx, vy, vz] = [view[c] - view[a], view[c + 1] - view[a + 1], view[c + 2] - view[a + 2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(nx, ny, nz);
  if (!(length > 0) || nz === 0) return;
  const light = AMBIENT + (HEADLIGHT * Math.abs(nz)) / length;
  const [x0, x1] = range(W, view[a], view[b], view[c]);
  const [y0, y1] = range(H, view[a + 1], view[b + 1], view[c + 1]);
  for (let y = y0; y <= y1; y++) {
    for (let x = x0; x <= x1; x++) {
      const [px, py] = [x + 0.5 - view[a], y + 0.5 - view[a + 1]];
      // Barycentric coordinates of the second and the third corner.
      const s = (px * vy - py * vx) / nz;
      const t = (ux * py - uy * px) / nz;
      if (s < 0 || t < 0 || s + t > 1) continue;
      const z = view[a + 2] + s * uz + t * vz;
      const at = y * W + x;
      if (z <= depth[at]) continue;
      depth[at] = z;
      for (let k = 0; k < 3; k++) {
        out[3 * at + k] = light * ((1 - s - t) * colours[a + k] + s * colours[b + k] + t * colours[c + k]);
      }
    }
  }
}

/** Samples that a span of coordinates may cover. */
function range(size: number, ...values: readonly number[]): [first: number, last: number] {
  return [Math.max(0, Math.floor(Math.min(...values))), Math.min(size - 1, Math.ceil(Math.max(...values)))];
}

function averaged(fine: Float32Array, { width, height }: Camera): Picture {
  const pixels = new Uint8Array(3 * width * height);
  const W = width * OVERSAMPLING;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let dy = 0; dy < OVERSAMPLING; dy++) {
          for (let dx = 0; dx < OVERSAMPLING; dx++) {
            sum += fine[3 * ((y * OVERSAMPLING + dy) * W + x * OVERSAMPLING + dx) + k];
          }
        }
        pixels[3 * (y * width + x) + k] = Math.round(sum / OVERSAMPLING ** 2);
      }
    }
  }
  return { width, height, pixels };
}
