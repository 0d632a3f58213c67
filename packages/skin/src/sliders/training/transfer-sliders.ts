/**
 * Sliders of one face for another mesh: with x ↦ A x + b from its places to those of the source, a vertex takes the weights
 * of the source where it stands, and every bone moves as the source's, N′ = A⁻¹ N A. Where the other face is the source
 * itself, stretched along its axes, so are the results. A is diagonal, so that zeros stay zeros.
 *
 * What faces of different shape need beyond it (a lip that must still close) is not solved for.
 */
import {
  type Bone,
  InputError,
  type Mesh,
  type Rig,
  type Sliders,
  validateMesh,
  validateRig,
  validateSliders,
  vertexCount,
} from '@pelt/model';
import { packWeights } from '../../shared/pack-weights.ts';
import type { SliderCorrections } from './corrections.ts';
import { type FaceMatch, matchFaces, NEIGHBOURS } from './face-match.ts';
import type { SliderFit } from './fit-sliders.ts';

export interface TransferredSliders extends SliderFit {
  /** Distances between corresponding places, as shares of the source's diagonal: the median, and that of nine in ten. */
  readonly distance: { readonly median: number; readonly p90: number };
}

/** Faces whose corresponding places are further apart than this share of the diagonal, nine in ten, are refused. */
const FARTHEST = 0.05;

/**
 * Transfers bones that follow sliders to another mesh, by correspondence of their surfaces. Throws `InputError` where the
 * surfaces do not correspond.
 *
 * @param source  a fit, or what a file has of one
 * @param mesh    the other face: the same axes, about the same expression
 * @example
 * {@includeCode ../../../examples/transfer-sliders.ts}
 */
export function transferSliders(source: SliderFit, mesh: Mesh): TransferredSliders {
  validateRig(source.rig);
  validateSliders(source.sliders, source.rig.bones.length);
  validateMesh(mesh);
  if (vertexCount(mesh) === 0) throw new InputError('transferSliders: the mesh has no vertices');
  const match = matchFaces(source.rig.mesh, mesh);
  const sorted = match.distances.slice().sort();
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))];
  const distance = { median: quantile(0.5), p90: quantile(0.9) };
  if (!(distance.p90 <= FARTHEST)) {
    throw new InputError(
      `transferSliders: a tenth of the vertices are more than ${Math.round(100 * distance.p90)} % of its diagonal from ` +
        'the other face; give a face alone, with the same axes and expression',
    );
  }
  const { scale, shift } = match;
  const rig: Rig = {
    name: mesh.name,
    mesh,
    bones: source.rig.bones.map((bone): Bone => ({ ...bone, rest: movedFrame(bone.rest, scale, shift) })),
    weights: movedWeights(source.rig, match),
  };
  return {
    rig,
    sliders: movedMaps(source.sliders, scale),
    units: movedUnits(source.units, scale),
    corrections: movedCorrections(source, match, vertexCount(mesh)),
    distance,
  };
}

/** A unit serves the three rows of its column: that of the row which shrinks most. */
function movedUnits(units: Float32Array, scale: readonly number[]): Float32Array {
  const most = Math.max(...scale);
  return units.map((unit, k) => (unit * (k % 4 === 3 ? 1 : scale[k % 4])) / most);
}

/** Frames of sliders' bones are translations. */
function movedFrame(rest: Float64Array, scale: readonly number[], shift: readonly number[]): Float64Array {
  return rest.map((value, k) => (k % 4 === 3 ? (value - shift[k >> 2]) / scale[k >> 2] : value));
}

/** A⁻¹ N A. */
function movedMaps(sliders: Sliders, scale: readonly number[]): Sliders {
  const values = sliders.values.map((value, k) => {
    const [row, column] = [sliders.elements[k] >> 2, sliders.elements[k] % 4];
    return (value * (column === 3 ? 1 : scale[column])) / scale[row];
  });
  return { ...sliders, values };
}

function movedWeights({ weights: { slots, bones, weights } }: Rig, { vertices, shares }: FaceMatch): Rig['weights'] {
  const n = shares.length / NEIGHBOURS;
  const [own, values] = [new Int32Array(n * slots), new Float64Array(n * slots)];
  const sums = new Map<number, number>();
  for (let i = 0; i < n; i++) {
    sums.clear();
    for (let k = i * NEIGHBOURS; k < (i + 1) * NEIGHBOURS; k++) {
      if (shares[k] === 0) continue;
      for (let s = vertices[k] * slots; s < (vertices[k] + 1) * slots; s++) {
        if (weights[s] > 0) sums.set(bones[s], (sums.get(bones[s]) ?? 0) + shares[k] * weights[s]);
      }
    }
    const largest = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, slots);
    const total = largest.reduce((sum, [, weight]) => sum + weight, 0) || 1;
    largest.forEach(([bone, weight], s) => {
      own[i * slots + s] = bone;
      values[i * slots + s] = weight / total;
    });
  }
  return packWeights(own, values, slots);
}

/** A⁻¹ of the displacements of the vertices that each one follows. */
function movedCorrections({ rig, corrections }: SliderFit, match: FaceMatch, n: number): SliderCorrections {
  const { starts, vertices, displacements } = corrections;
  const out = { starts: new Uint32Array(starts.length), vertices: [] as number[], displacements: [] as number[] };
  const dense = new Float64Array(rig.mesh.positions.length);
  for (let s = 0; s + 1 < starts.length; s++) {
    for (let k = starts[s]; k < starts[s + 1]; k++) {
      for (let c = 0; c < 3; c++) dense[3 * vertices[k] + c] = displacements[3 * k + c];
    }
    for (let i = 0; starts[s + 1] > starts[s] && i < n; i++) {
      const moved = [0, 0, 0];
      for (let k = i * NEIGHBOURS; k < (i + 1) * NEIGHBOURS; k++) {
        for (let c = 0; c < 3; c++) moved[c] += (match.shares[k] * dense[3 * match.vertices[k] + c]) / match.scale[c];
      }
      if (moved.every((value) => value === 0)) continue;
      out.vertices.push(i);
      out.displacements.push(...moved);
    }
    for (let k = starts[s]; k < starts[s + 1]; k++) dense.fill(0, 3 * vertices[k], 3 * vertices[k] + 3);
    out.starts[s + 1] = out.vertices.length;
  }
  return {
    starts: out.starts,
    vertices: Uint32Array.from(out.vertices),
    displacements: Float32Array.from(out.displacements),
  };
}
