/** Models of parts of a surface: what a model keeps for each vertex, taken apart and put together again. */
import type { SkinWeights } from '@pelt/model';
import type { PeltModel } from './pelt-model.ts';

type Displacements = NonNullable<NonNullable<PeltModel['envelope']>['displacements']>;

/**
 * The model of some of the vertices; everything that is not kept for each vertex stays as it is.
 *
 * @param first  the first of them
 * @param count  how many
 */
export function partModel(model: PeltModel, first: number, count: number): PeltModel {
  const { skin, jointSkin, envelope } = model;
  const displacements = envelope?.displacements;
  return {
    ...model,
    skin: rowsOf(skin, first, count),
    ...(jointSkin && { jointSkin: rowsOf(jointSkin, first, count) }),
    ...(envelope &&
      displacements && { envelope: { ...envelope, displacements: displacementsOf(displacements, first, count) } }),
  };
}

/** One model over the vertices of several, which play the same palette. */
export function joinedModel(models: readonly PeltModel[]): PeltModel {
  const [first] = models;
  if (models.length === 1) return first;
  const jointSkins = models.flatMap(({ jointSkin }) => jointSkin ?? []);
  const displacements = models.flatMap(({ envelope }) => envelope?.displacements ?? []);
  return {
    ...first,
    skin: joinedSkin(models.map(({ skin }) => skin)),
    ...(jointSkins.length > 0 && { jointSkin: joinedSkin(jointSkins) }),
    ...(first.envelope &&
      displacements.length > 0 && {
        envelope: { ...first.envelope, displacements: joinedDisplacements(displacements) },
      }),
  };
}

function rowsOf({ slots, bones, weights }: SkinWeights, first: number, count: number): SkinWeights {
  const [from, to] = [first * slots, (first + count) * slots];
  return { slots, bones: bones.slice(from, to), weights: weights.slice(from, to) };
}

/** Weights of several lists of vertices, one after the other; the most slots that any has. */
function joinedSkin(skins: readonly SkinWeights[]): SkinWeights {
  const slots = skins.reduce((most, skin) => Math.max(most, skin.slots), 1);
  const n = skins.reduce((sum, skin) => sum + skin.bones.length / skin.slots, 0);
  const bones = new Uint16Array(n * slots);
  const weights = new Float32Array(n * slots);
  let row = 0;
  for (const skin of skins) {
    for (let k = 0; k < skin.bones.length; k += skin.slots, row++) {
      bones.set(skin.bones.subarray(k, k + skin.slots), row * slots);
      weights.set(skin.weights.subarray(k, k + skin.slots), row * slots);
    }
  }
  return { slots, bones, weights };
}

/** Displacements are R × n × 3, axes n. */
function displacementsOf(given: Displacements, first: number, count: number): Displacements {
  const size = 3 * given.axes.length;
  const R = given.displacements.length / size;
  const displacements = new Float32Array(3 * R * count);
  for (let r = 0; r < R; r++) {
    const from = r * size + 3 * first;
    displacements.set(given.displacements.subarray(from, from + 3 * count), 3 * r * count);
  }
  return { ...given, displacements, axes: given.axes.slice(first, first + count) };
}

function joinedDisplacements(parts: readonly Displacements[]): Displacements {
  const n = parts.reduce((sum, { axes }) => sum + axes.length, 0);
  const R = parts[0].displacements.length / (3 * parts[0].axes.length);
  const displacements = new Float32Array(3 * R * n);
  const axes = new Uint16Array(n);
  let first = 0;
  for (const part of parts) {
    const size = 3 * part.axes.length;
    for (let r = 0; r < R; r++) {
      displacements.set(part.displacements.subarray(r * size, (r + 1) * size), 3 * (r * n + first));
    }
    axes.set(part.axes, first);
    first += part.axes.length;
  }
  return { ...parts[0], displacements, axes };
}
