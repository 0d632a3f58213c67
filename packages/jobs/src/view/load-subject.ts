/** From the files of one animation, or of one still, to a subject of a scene. */
import { DYNAMICS_EXTENSION, type GltfAsset, readRig } from '@pelt/io';
import { type Mesh, type RunContext, UsageError, vertexCount } from '@pelt/model';
import { hasOwnSkin } from '../input/asset-motion.ts';
import { clipIndex } from '../input/clip-index.ts';
import { type InputOptions, loadGltf, openSequence, type Reader } from '../input/load-sequence.ts';
import { playOwnSkin } from '../input/play-own-skin.ts';
import { isAlembic, isGltf, type Source } from '../input/source-files.ts';
import type { ViewClip, ViewRig, ViewSubject } from './scene.ts';

/** Which moments are shown. */
export interface Moments {
  /** Every clip, or only the one that was chosen. */
  readonly allClips: boolean;
  /** Numbers of frames from 0; undefined: all. */
  readonly frames?: readonly number[] | undefined;
  /** Frames a second at which a glTF is sampled; undefined: its own keys. */
  readonly fps?: number | undefined;
}

/** Of an original: the clips and moments that whatever is beside it must show too. */
export interface Lead {
  readonly clips: readonly { readonly name: string; readonly times: Float64Array }[];
}

/** @param lead  clips of the original; undefined: the subject stands for itself */
export async function loadSubject(
  source: Source,
  options: InputOptions,
  moments: Moments,
  reader: Reader,
  context: RunContext,
  lead?: Lead,
): Promise<ViewSubject> {
  const { meshes, cache } = source;
  // Folders are nobody's business who is given a picture.
  const label = source.label.replace(/[^\s]*[/\\](?=[^/\\])/g, '');
  if (!cache && isGltf(meshes[0])) {
    return gltfSubject(await loadGltf(meshes[0], reader), label, options, moments, reader, lead);
  }
  const { rest, fps, mesh, up, scale } = options;
  const alembic = !cache && isAlembic(meshes[0]);
  const opened = await openSequence(
    source,
    { rest: cache && meshes.length === 0 ? rest : undefined, fps, ...(alembic && { mesh, up, scale }) },
    reader,
    context,
  );
  const { source: animation } = opened;
  const common = { label, ...surfaceOf(animation.rest) };
  if (opened.count < 2) return { ...common, clips: [] };
  const shown = moments.frames ?? Array.from({ length: opened.count }, (_, t) => t);
  requireFrames(shown, opened.count, label);
  reader.expectFrames?.(vertexCount(animation.rest), shown.length);
  const size = animation.rest.positions.length;
  const frames = new Float32Array(shown.length * size);
  shown.forEach((t, k) => {
    animation.readFrame(t, frames.subarray(k * size, (k + 1) * size));
    context.onProgress?.({ stage: 'reading frames', fraction: (k + 1) / shown.length });
  });
  const times = Float64Array.from(shown, (t) => animation.times[t]);
  return { ...common, clips: [{ name: opened.animation ?? 'clip', times, frames }] };
}

async function gltfSubject(
  asset: GltfAsset,
  label: string,
  { clip }: InputOptions,
  { allClips, frames, fps }: Moments,
  reader: Reader,
  lead: Lead | undefined,
): Promise<ViewSubject> {
  const common = { label, ...surfaceOf(asset.mesh) };
  const chosen = clip === undefined ? undefined : clipIndex(asset.animations, clip);
  if (asset.animations.length === 0) {
    const { rig } = readRig(asset);
    return { ...common, ...(asset.skinned && { rig: viewRig(rig, true) }), clips: [] };
  }
  const wanted = clipsOf(asset, chosen, allClips, lead);
  const read = wanted.map(({ index, times }) => ({
    index,
    of: readRig(asset, { fps: times ? undefined : fps, times }),
  }));
  const { rig, morphs } = read[0].of;
  const swings = asset.extensions.some(({ name }) => name === DYNAMICS_EXTENSION);
  const clips: ViewClip[] = [];
  for (const { index, of } of read) {
    const whole = of.clips[index];
    const all = Array.from(whole.times, (_, t) => t);
    const shown = lead ? all : (frames ?? all);
    requireFrames(shown, whole.times.length, label);
    const m = rig.bones.length;
    const at = { name: whole.name, times: Float64Array.from(shown, (t) => whole.times[t]) };
    const transforms = rowsOf(whole.transforms, 12 * m, shown);
    reader.expectFrames?.(vertexCount(asset.mesh), hasOwnSkin(asset) ? shown.length : 1);
    const R = of.morphs?.deltas.length ?? 0;
    const morphWeights = of.morphs && rowsOf(of.morphs.weights[index], R, shown);
    // Targets without curves follow the pose, where a skin makes them.
    const curves = asset.animations[index].channels.some(({ path }) => path === 'weights') ? morphWeights : undefined;
    // A frame of a skin that swings depends on those before it.
    const played = swings
      ? rowsOfFrames(await playOwnSkin(asset, whole), asset.mesh.positions.length, shown)
      : await playOwnSkin(asset, { ...at, transforms, ...(curves && { morphWeights: curves }) });
    clips.push({ ...at, transforms, ...(morphWeights && { morphWeights }), ...(played && { frames: played }) });
  }
  return { ...common, rig: viewRig(rig, asset.skinned), ...(morphs && { morphs: morphs.deltas }), clips };
}

/** Animations to show, with the moments of the original's clip of the same name, or else of the same number. */
function clipsOf(asset: GltfAsset, chosen: number | undefined, allClips: boolean, lead: Lead | undefined) {
  const { animations } = asset;
  if (lead && lead.clips.length > 0) {
    return lead.clips.map(({ name, times }, k) => {
      const same = animations.findIndex((animation) => animation.name === name);
      return { index: chosen ?? (same >= 0 ? same : Math.min(k, animations.length - 1)), times };
    });
  }
  const indices = chosen !== undefined || !allClips ? [chosen ?? 0] : animations.map((_, k) => k);
  return indices.map((index) => ({ index, times: undefined }));
}

function requireFrames(shown: readonly number[], count: number, label: string): void {
  const beyond = shown.find((t) => t >= count);
  if (beyond !== undefined) throw new UsageError(`'${label}' has no frame ${beyond + 1}; it has 1 to ${count}`);
}

/** Rows t of an S × size array. */
function rowsOf<T extends Float32Array | Float64Array>(values: T, size: number, shown: readonly number[]): T {
  const out = new (values.constructor as new (length: number) => T)(shown.length * size);
  shown.forEach((t, k) => {
    out.set(values.subarray(t * size, (t + 1) * size), k * size);
  });
  return out;
}

function surfaceOf({ positions, triangles, parts = [], materials = [] }: Mesh) {
  const colours = parts.map(({ material }) => {
    const { baseColor, baseColorTexture } = materials[material] ?? {};
    return baseColor && !baseColorTexture ? baseColor.slice(0, 3) : undefined;
  });
  // One colour for all says nothing; the neutral one shows the shape better.
  const several = new Set(colours.map((colour) => JSON.stringify(colour))).size > 1;
  return {
    positions,
    triangles,
    parts: parts.map(({ name, firstTriangle }, k) => ({
      name,
      firstTriangle,
      ...(several && colours[k] && { colour: colours[k] }),
    })),
  };
}

function viewRig({ bones, weights }: ReturnType<typeof readRig>['rig'], skinned: boolean): ViewRig {
  const rest = new Float64Array(12 * bones.length);
  bones.forEach((bone, j) => {
    rest.set(bone.rest, 12 * j);
  });
  return {
    skinned,
    names: bones.map(({ name }) => name),
    parents: Int32Array.from(bones, ({ parent }) => parent),
    rest,
    ...weights,
  };
}

function rowsOfFrames(
  frames: Float32Array | undefined,
  size: number,
  rows: readonly number[],
): Float32Array | undefined {
  if (!frames) return undefined;
  const out = new Float32Array(rows.length * size);
  rows.forEach((t, k) => {
    out.set(frames.subarray(t * size, (t + 1) * size), k * size);
  });
  return out;
}
