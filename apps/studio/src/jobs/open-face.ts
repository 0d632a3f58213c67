/**
 * A face with sliders, ready to be shown: as its bones are linear in the sliders, the shape is too, and what each slider
 * does fully on says everything. It is read from the file, beside the blend shapes that the file was made from.
 */
import { readGltf, readRig, readSliders } from '@pelt/io';
import { boundsOf, diagonalOf, InputError, type Rig, type SliderClip } from '@pelt/model';
import { deformLinear } from '@pelt/skin/blending';
import { SliderBones, type SliderShapes, sliderTransforms } from '@pelt/skin/sliders';
import { matchShapes } from './match-shapes.ts';

export interface OpenedFace {
  readonly rig: Rig;
  readonly names: readonly string[];
  /** S × n × 3 displacements with each slider fully on */
  readonly fitted: Float32Array;
  /** The same of the blend shapes, on the vertices of the file; absent: there is no original. */
  readonly original: Float32Array | undefined;
  /** Largest and root mean square distance of each slider, in units of the file; empty without an original. */
  readonly errors: readonly { readonly largest: number; readonly rms: number }[];
  /** Distance that 99.9 % of all vertices stay below, in parts of the diagonal. */
  readonly p999: number;
  readonly clips: readonly SliderClip[];
}

/** Distances that quantiles are taken from, at most. */
const MOST_SAMPLES = 400_000;

export async function openFace(bytes: Uint8Array, shapes: SliderShapes | undefined): Promise<OpenedFace> {
  const asset = await readGltf(bytes);
  const read = readSliders(asset);
  if (!read) throw new InputError('the file has no sliders; fit them to its blend shapes');
  const { rig } = readRig(asset);
  const { sliders, clips } = read;
  const { names } = sliders;
  const size = rig.mesh.positions.length;
  const fitted = new Float32Array(names.length * size);
  const bones = new SliderBones(sliders, rig.bones.length);
  const transforms = new Float64Array(12 * rig.bones.length);
  const values = new Float32Array(names.length);
  names.forEach((name, s) => {
    values.fill(0);
    values[s] = 1;
    const out = fitted.subarray(s * size, (s + 1) * size);
    const rest = rig.mesh.positions.slice();
    // What bones do badly is corrected by a morph target of the same name.
    for (const { targets, names: own, firstVertex } of asset.scene.morphs) {
      const target = targets[own?.indexOf(name) ?? -1];
      target?.forEach((value, k) => {
        rest[3 * firstVertex + k] += value;
      });
    }
    deformLinear(rest, rig.weights, sliderTransforms(bones.update(values), rig.bones, transforms), out);
    for (let k = 0; k < size; k++) out[k] -= rig.mesh.positions[k];
  });
  const original = shapes && matchShapes(shapes, rig.mesh.positions, names, fitted);
  const diagonal = diagonalOf(boundsOf(rig.mesh.positions)) || 1;
  return { rig, names, fitted, original, clips, ...measured(fitted, original, size, names.length, diagonal) };
}

function measured(
  fitted: Float32Array,
  original: Float32Array | undefined,
  size: number,
  S: number,
  diagonal: number,
): Pick<OpenedFace, 'errors' | 'p999'> {
  if (!original) return { errors: [], p999: 0 };
  const stride = Math.max(1, Math.ceil(fitted.length / 3 / MOST_SAMPLES));
  const samples: number[] = [];
  const errors = Array.from({ length: S }, (_, s) => {
    let [largest, sum] = [0, 0];
    for (let k = s * size; k < (s + 1) * size; k += 3) {
      const squared =
        (fitted[k] - original[k]) ** 2 +
        (fitted[k + 1] - original[k + 1]) ** 2 +
        (fitted[k + 2] - original[k + 2]) ** 2;
      sum += squared;
      largest = Math.max(largest, squared);
      if ((k / 3) % stride === 0) samples.push(Math.sqrt(squared));
    }
    return { largest: Math.sqrt(largest), rms: Math.sqrt(sum / Math.max(1, size / 3)) };
  });
  const sorted = Float64Array.from(samples).sort();
  return { errors, p999: (sorted[Math.floor(0.999 * (sorted.length - 1))] ?? 0) / diagonal };
}
