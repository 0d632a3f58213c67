/**
 * A sequence as a vertex animation texture in the layout of OpenVAT: a picture with the offsets of all vertices from the
 * rest pose and, in its lower half, their normals; a GLB of the rest pose whose second UVs lead each vertex to its texel in
 * the first frame; and a JSON file with the range of the offsets.
 *
 * A vertex has a column, and a frame is a row: the next frame is one texel down. Where there are more vertices than columns,
 * they go on in a band of S rows below. Red, green and blue are x, −z and y of glTF, the axes of Blender, for which the
 * decoders of the layout are written. Sides are powers of two, since engines scale other pictures when they import them.
 */
import { frameAt, frameCount, type MeshSequence, resolveOptions, UnsupportedError, vertexCount } from '@pelt/model';
import { FrameMeshes } from '../frame-meshes.ts';
import { writeGlb } from '../gltf/write-glb.ts';
import type { OutputFile } from '../read-options.ts';
import { smoothNormals } from '../smooth-normals.ts';
import { writeExr } from './write-exr.ts';
import { writePng16 } from './write-png16.ts';

export interface VatOptions {
  /** 16 bits per number, or floats. */
  readonly encoding: 'png' | 'exr';
  /** What the files are called, without an extension. */
  readonly name: string;
  /** Clips among the frames, in their order; empty: one of all. */
  readonly clips: readonly { readonly name: string; readonly times: Float64Array }[];
  readonly onWarning: ((message: string) => void) | undefined;
}

export const VAT_DEFAULTS: VatOptions = { encoding: 'png', name: 'vat', clips: [], onWarning: undefined };

export interface VatFiles {
  /** The GLB, the picture, the JSON. */
  readonly files: readonly OutputFile[];
  /** Texels. */
  readonly width: number;
  readonly height: number;
}

interface Layout {
  readonly width: number;
  readonly height: number;
}

/** The longest side that OpenVAT and common graphics cards take. */
const LONGEST = 8192;
const SHORTEST = 64;
/** Of a texel's three numbers, which of glTF's axes, and its sign. */
const AXES = [
  [0, 1],
  [2, -1],
  [1, 1],
] as const;
/** Where times do not tell one. */
const DEFAULT_RATE = 24;

/**
 * Writes a sequence as a mesh, a picture of offsets and normals, and the range of the offsets.
 *
 * @param sequence  S frames of n vertices, evenly spaced in time
 * @throws UnsupportedError where the picture would be larger than graphics cards allow
 * @example
 * {@includeCode ../../examples/vat.ts}
 */
export async function writeVat(sequence: MeshSequence, options?: Partial<VatOptions>): Promise<VatFiles> {
  const { encoding, name, clips, onWarning } = resolveOptions('writeVat', VAT_DEFAULTS, options);
  const { rest } = sequence;
  const [n, S] = [vertexCount(rest), frameCount(sequence)];
  const layout = layoutOf(n, S);
  const { width, height } = layout;
  const range = rangeOf(sequence);
  const texels = texelsOf(sequence, layout, range);
  if (rest.uvs2) onWarning?.('its second UVs make place for those of the texture');
  const uvs = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) {
    uvs[2 * i] = ((i % width) + 0.5) / width;
    uvs[2 * i + 1] = (Math.floor(i / width) * S + 0.5) / height;
  }
  const first = rest.uvs ?? { size: 2 as const, values: new Float32Array(2 * n) };
  const mesh = { ...rest, uvs: first, uvs2: { size: 2 as const, values: uvs } };
  const { bytes } = await writeGlb({ mesh }, { onWarning });
  const remap = {
    'os-remap': { Min: range.min, Max: range.max, Frames: S },
    animations: animationsOf(sequence, clips),
  };
  const picture = (encoding === 'png' ? writePng16 : writeExr)(width, height, texels);
  return {
    files: [
      { name: `${name}.glb`, bytes },
      { name: `${name}_vat.${encoding}`, bytes: picture },
      { name: `${name}-remap_info.json`, bytes: new TextEncoder().encode(`${JSON.stringify(remap, undefined, 2)}\n`) },
    ],
    width,
    height,
  };
}

/** The fewest texels with room for offsets and normals; of several pictures the widest. */
function layoutOf(n: number, S: number): Layout {
  let best: Layout | undefined;
  for (let width = LONGEST; width >= SHORTEST; width /= 2) {
    const height = powerFrom(2 * Math.ceil(n / width) * S);
    if (height <= LONGEST && (!best || width * height < best.width * best.height)) best = { width, height };
  }
  if (best) return best;
  const most = Math.floor(LONGEST / (2 * Math.ceil(n / LONGEST)));
  const cure = most > 0 ? `take at most ${most} frames by --sample` : 'take a mesh of fewer vertices';
  throw new UnsupportedError(
    `${S} frames of ${n} vertices do not fit into a texture of ${LONGEST} × ${LONGEST} texels; ${cure}`,
  );
}

function powerFrom(size: number): number {
  let power = SHORTEST;
  while (power < size) power *= 2;
  return power;
}

interface Range {
  readonly min: readonly number[];
  readonly max: readonly number[];
}

/** Of the offsets from rest, along the axes of texels. */
function rangeOf({ rest, frames }: MeshSequence): Range {
  const [min, max] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  const size = rest.positions.length;
  for (let k = 0; k < frames.length; k += 3) {
    AXES.forEach(([axis, sign], c) => {
      const offset = sign * (frames[k + axis] - rest.positions[(k + axis) % size]);
      min[c] = Math.min(min[c], offset);
      max[c] = Math.max(max[c], offset);
    });
  }
  return { min, max };
}

/** @return height × width × 3, from 0 to 1 */
function texelsOf(sequence: MeshSequence, { width, height }: Layout, { min, max }: Range): Float32Array {
  const { rest } = sequence;
  const [n, S] = [vertexCount(rest), frameCount(sequence)];
  const texels = new Float32Array(3 * width * height);
  const lower = (3 * width * height) / 2;
  const meshes = new FrameMeshes(sequence);
  for (let t = 0; t < S; t++) {
    const positions = frameAt(sequence, t);
    const { normals } = meshes.at(t);
    // Normals of corners have no place in a picture of vertices.
    const turned = normals && !normals.indices ? normals.values : smoothNormals(positions, rest.triangles);
    for (let i = 0; i < n; i++) {
      const texel = 3 * (width * (Math.floor(i / width) * S + t) + (i % width));
      AXES.forEach(([axis, sign], c) => {
        const k = 3 * i + axis;
        const span = max[c] - min[c];
        texels[texel + c] = span > 0 ? (sign * (positions[k] - rest.positions[k]) - min[c]) / span : 0;
        texels[lower + texel + c] = 0.5 + 0.5 * sign * turned[k];
      });
    }
  }
  return texels;
}

function animationsOf({ times, name }: MeshSequence, clips: VatOptions['clips']): Record<string, object> {
  const all = clips.length > 0 ? clips : [{ name, times }];
  let first = 0;
  return Object.fromEntries(
    all.map((clip, k) => {
      const S = clip.times.length;
      const span = clip.times[S - 1] - clip.times[0];
      const framerate = span > 0 ? (S - 1) / span : DEFAULT_RATE;
      const entry = { startFrame: first, endFrame: first + S - 1, framerate, looping: true };
      first += S;
      return [clip.name || `clip-${k}`, entry];
    }),
  );
}
