/** A slider fit as a file has it: positions, weights, maps and corrections read back, on the vertices of the fit. */
import { type GltfAsset, readGltf, readRig, readSliders } from '@pelt/io';
import { gatherVertices, InputError, type SkinWeights, vertexCount } from '@pelt/model';
import { NO_VERTEX } from '@pelt/pack';
import type { SliderFit } from '@pelt/skin/sliders';

/** What a file has of a fit, on its own vertices; undefined where it has no sliders. */
export function fitOfFile(asset: GltfAsset): SliderFit | undefined {
  const read = readSliders(asset);
  if (!read) return undefined;
  const { rig } = readRig(asset);
  const places = Uint32Array.from({ length: vertexCount(rig.mesh) }, (_, i) => i);
  return {
    rig,
    sliders: read.sliders,
    units: new Float32Array(4 * rig.bones.length),
    corrections: correctionsOf(asset.scene.morphs, read.sliders.names, places),
  };
}

/**
 * @param fit     what was written
 * @param places  n: the vertex of the file for each of the fit's; `NO_VERTEX` for those that no triangle uses
 */
export async function writtenFit(bytes: Uint8Array, fit: SliderFit, places: Uint32Array): Promise<SliderFit> {
  const asset = await readGltf(bytes);
  const read = fitOfFile(asset);
  if (!read) throw new InputError('the written file has no sliders');
  const { rig, sliders } = read;
  const { mesh } = fit.rig;
  const { slots } = rig.weights;
  const shown = places.map((place) => (place === NO_VERTEX ? 0 : place));
  const weights: SkinWeights = {
    slots,
    bones: gatherVertices(rig.weights.bones, slots, shown),
    weights: gatherVertices(rig.weights.weights, slots, shown),
  };
  const positions = gatherVertices(rig.mesh.positions, 3, shown);
  places.forEach((place, i) => {
    if (place === NO_VERTEX) keepVertex(fit, i, weights, positions);
  });
  return {
    rig: { ...fit.rig, mesh: { ...mesh, positions }, bones: rig.bones, weights },
    sliders,
    units: fit.units,
    corrections: correctionsOf(asset.scene.morphs, sliders.names, places),
  };
}

/** A vertex that nobody sees is as it was. */
function keepVertex(
  { rig }: SliderFit,
  i: number,
  { slots, bones, weights }: SkinWeights,
  positions: Float32Array,
): void {
  positions.set(rig.mesh.positions.subarray(3 * i, 3 * i + 3), 3 * i);
  bones.fill(0, i * slots, (i + 1) * slots);
  weights.fill(0, i * slots, (i + 1) * slots);
  const own = rig.weights;
  for (let s = 0; s < Math.min(slots, own.slots); s++) {
    bones[i * slots + s] = own.bones[i * own.slots + s];
    weights[i * slots + s] = own.weights[i * own.slots + s];
  }
}

type Morphs = GltfAsset['scene']['morphs'];

function correctionsOf(morphs: Morphs, names: readonly string[], places: Uint32Array): SliderFit['corrections'] {
  const starts = new Uint32Array(names.length + 1);
  const vertices: number[] = [];
  const displacements: number[] = [];
  names.forEach((name, s) => {
    const target = targetOf(morphs, name, places);
    for (let i = 0; target && i < places.length; i++) {
      if (places[i] === NO_VERTEX) continue;
      const moved = target.subarray(3 * places[i], 3 * places[i] + 3);
      if (moved.every((value) => value === 0)) continue;
      vertices.push(i);
      displacements.push(...moved);
    }
    starts[s + 1] = vertices.length;
  });
  return { starts, vertices: Uint32Array.from(vertices), displacements: Float32Array.from(displacements) };
}

/** Displacements of a name over all vertices of the file; undefined where it has none. */
function targetOf(morphs: Morphs, name: string, places: Uint32Array): Float32Array | undefined {
  let out: Float32Array | undefined;
  for (const { targets, names, firstVertex } of morphs) {
    const target = targets[names?.indexOf(name) ?? -1];
    if (!target) continue;
    out ??= new Float32Array(3 * places.reduce((most, at) => (at === NO_VERTEX ? most : Math.max(most, at + 1)), 0));
    out.set(target, 3 * firstVertex);
  }
  return out;
}
