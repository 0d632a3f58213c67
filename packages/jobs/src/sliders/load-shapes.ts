/** Blend shapes from files: morph targets of a glTF by their names, or one mesh or frame per slider. */
import {
  type GltfAsset,
  type GltfChannel,
  matchRecording,
  readFaceRecording,
  SLIDERS_EXTENSION,
  sampleChannel,
} from '@pelt/io';
import {
  frameCount,
  InputError,
  type Mesh,
  type SliderClip,
  UnsupportedError,
  UsageError,
  validateSliderClip,
} from '@pelt/model';
import type { SliderShapes } from '@pelt/skin/sliders';
import { loadGltf, openSequence, type Reader, readOpened } from '../input/load-sequence.ts';
import { namedMesh } from '../input/names.ts';
import { readJson } from '../input/read-json.ts';
import { isGltf, type SourceFile, sourceOf } from '../input/source-files.ts';
import type { Job } from '../job.ts';
import { PARTS } from '../request/schema-parts.ts';
import type { Checked } from '../request/table.ts';
import { faceOf } from './face-of-asset.ts';
import type { SLIDERS } from './table.ts';

export interface LoadedShapes {
  readonly shapes: SliderShapes;
  /** Animations of the sliders that the file has. */
  readonly clips: readonly SliderClip[];
  readonly label: string;
  readonly bytes: number;
  /** Names of the joints of the character that the face is of. */
  readonly joints: readonly string[];
  /** Metres per unit of the input; undefined where nobody says. */
  readonly unit: number | undefined;
}

/** What of a request says where shapes come from. */
export interface ShapesRequest {
  readonly inputs: readonly string[];
  readonly options: Pick<Checked<typeof SLIDERS>['options'], 'rest' | 'names' | 'unit' | 'recording'>;
}

/** What reading shapes takes of a job. */
export type ShapesReader = Reader & Pick<Job, 'context'>;

export async function loadShapes({ inputs, options }: ShapesRequest, job: ShapesReader): Promise<LoadedShapes> {
  const source = sourceOf(job.files, inputs, options.rest);
  const [file] = source.meshes;
  const loaded =
    !source.cache && source.meshes.length === 1 && isGltf(file)
      ? await morphTargets(file, options.names, job)
      : await frames(inputs, options, job);
  if (options.recording === undefined) return loaded;
  return { ...loaded, clips: [...loaded.clips, recorded(options.recording, loaded.shapes.names, job)] };
}

/** A recording of the sliders by name. */
function recorded(path: string, names: readonly string[], job: ShapesReader): SliderClip {
  const recording = readFaceRecording(job.files.read(path), { name: path, onWarning: job.warn });
  const { clip, missing, unused } = matchRecording(recording, names);
  if (missing.length === names.length) {
    throw new InputError(`'${path}' has none of the sliders: it has ${some(unused)}, the face ${some(missing)}`);
  }
  if (unused.length > 0) job.warn(`'${path}': no slider is called ${some(unused)}`);
  if (missing.length > 0) job.warn(`'${path}': nothing moves ${some(missing)}`);
  return clip;
}

const LISTED = 4;

function some(names: readonly string[]): string {
  const first = names.slice(0, LISTED).map((name) => `'${name}'`);
  return `${first.join(', ')}${names.length > LISTED ? ` and ${names.length - LISTED} others` : ''}`;
}

/** Every name once: parts of a face that are apart (lids, teeth) follow the slider of their name together. */
async function morphTargets(file: SourceFile, names: string | undefined, job: ShapesReader): Promise<LoadedShapes> {
  if (names !== undefined) throw new UsageError('--names is for shapes without names; a glTF has its own');
  const asset = await loadGltf(file, job);
  if (asset.extensions.some(({ name }) => name === SLIDERS_EXTENSION)) {
    throw new UnsupportedError(`'${file.path}' has sliders that bones follow already; give the face that they are of`);
  }
  if (asset.scene.morphs.length === 0) throw new InputError(`'${file.path}' has no morph targets`);
  const { mesh, morphs, left, bone } = faceOf(asset);
  if (bone !== undefined || left > 0) {
    const without = [...(bone === undefined ? [] : ['the skin']), ...(left > 0 ? [`${left} vertices beside it`] : [])];
    const cure = bone === undefined ? '' : `; hang it on the bone '${bone}'`;
    job.warn(`'${file.path}': the face is taken alone, at rest, without ${without.join(' and ')}${cure}`);
  }
  const all = sliderNames(asset);
  const size = mesh.positions.length;
  const shapes = new Float32Array(all.length * size);
  all.forEach((_, s) => {
    shapes.set(mesh.positions, s * size);
  });
  for (const { targets, names: own, firstVertex } of morphs) {
    targets.forEach((target, k) => {
      if (!target) return;
      const first = all.indexOf(own?.[k] ?? unnamed(k)) * size + 3 * firstVertex;
      for (let c = 0; c < target.length; c++) shapes[first + c] += target[c];
    });
  }
  return {
    shapes: { mesh: namedMesh(mesh), names: all, shapes },
    clips: sliderClips(asset, all, job),
    label: file.path,
    bytes: file.bytes,
    joints: asset.skinned ? asset.scene.bones.map(({ name }) => name) : [],
    unit: 1,
  };
}

function sliderNames({ scene }: GltfAsset): string[] {
  return [...new Set(scene.morphs.flatMap(({ targets, names }) => targets.map((_, k) => names?.[k] ?? unnamed(k))))];
}

function unnamed(k: number): string {
  return `target-${k}`;
}

/** The animations of morph weights, at the keys of all their channels. */
function sliderClips({ animations, scene }: GltfAsset, all: readonly string[], job: ShapesReader): SliderClip[] {
  return animations.flatMap(({ name, channels }, a) => {
    const weights = channels.filter(({ path }) => path === 'weights');
    const moved = channels.length - weights.length;
    if (moved > 0) job.warn(`animation '${name}': ${moved} channels that move nodes are left out`);
    if (weights.length === 0) return [];
    const keys = new Set(weights.flatMap(({ times }) => [...times]));
    const times = Float64Array.from(keys).sort();
    const values = new Float32Array(times.length * all.length);
    for (const channel of weights) sampleWeights(channel, scene, all, times, values);
    const clip = { name: name || `clip-${a}`, times, values };
    validateSliderClip(clip, all.length);
    return [clip];
  });
}

function sampleWeights(
  channel: GltfChannel,
  { morphs }: GltfAsset['scene'],
  all: readonly string[],
  times: Float64Array,
  values: Float32Array,
): void {
  const morph = morphs.find(({ node }) => node === channel.node);
  if (!morph) return;
  const places = morph.targets.map((_, k) => all.indexOf(morph.names?.[k] ?? unnamed(k)));
  const at = new Float64Array(channel.size);
  times.forEach((time, t) => {
    sampleChannel(channel, time, at);
    // Weights that are on at rest are part of the neutral face.
    places.forEach((s, k) => {
      values[t * all.length + s] = at[k] - morph.restWeights[k];
    });
  });
}

async function frames(
  inputs: readonly string[],
  { rest, names, unit }: ShapesRequest['options'],
  job: ShapesReader,
): Promise<LoadedShapes> {
  const source = sourceOf(job.files, inputs, rest);
  if (!source.cache && rest === undefined) {
    throw new UsageError('give the neutral face as --rest, and one file per slider; or a glTF with morph targets');
  }
  const opened = await openSequence(source, { rest }, job, job.context);
  const { sequence } = await readOpened(opened, job, job.context);
  const S = frameCount(sequence);
  const found =
    names === undefined
      ? source.cache
        ? Array.from({ length: S }, (_, s) => unnamed(s))
        : source.meshes.map(({ path }) => stemOf(path))
      : readJson(names, job, PARTS.array(PARTS.string()), 'a list of names: ["jawOpen", "mouthSmile_L"]');
  if (found.length !== S) throw new InputError(`${found.length} names for ${S} shapes; give one for each`);
  const twice = found.find((name, s) => found.indexOf(name) < s);
  if (twice !== undefined) throw new InputError(`two shapes are called '${twice}'; give each a name of its own`);
  const mesh: Mesh = namedMesh(sequence.rest);
  return {
    shapes: { mesh, names: found, shapes: sequence.frames },
    clips: [],
    label: opened.label,
    bytes: opened.bytes,
    joints: [],
    unit: unit === undefined ? undefined : { m: 1, cm: 0.01, mm: 0.001 }[unit],
  };
}

/** `shapes/jawOpen.obj` is jawOpen. */
function stemOf(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.[^.]*$/, '');
}
