/** From the files of `pelt pose` to a character that can be posed: opened again, learnt from examples, or transferred. */
import { readPoser, readRig } from '@pelt/io';
import type { Numerics } from '@pelt/math';
import { frameCount, type Poser, type RunContext, stageOf, UsageError, unweldRig, weldSequence } from '@pelt/model';
import { buildPoser, decompose, transferPoser } from '@pelt/skin';
import { loadGltf, loadSequence } from '../input/load-sequence.ts';
import { isGltf, sourceFile, sourceOf } from '../input/source-files.ts';
import type { Job } from '../thread/job.ts';
import { DEFAULT_CONTROLS } from './pose-defaults.ts';

export interface PoserRequest {
  readonly model: string;
  /** Meshes, folders of them or an animation to learn from; none: the model's own. */
  readonly examples: readonly string[];
  /** A GLB with a poser, whose pose space the model shall have. */
  readonly transfer: string | undefined;
  readonly controls: number | undefined;
  readonly proxies: number | undefined;
  /** Whether what the controls cannot do of the examples is kept. */
  readonly details: boolean;
}

export interface LoadedPoser {
  readonly poser: Poser;
  /** Every file that was asked for by name. */
  readonly paths: readonly string[];
  readonly bytes: number;
}

export async function loadPoser(request: PoserRequest, numerics: Numerics, job: Job): Promise<LoadedPoser> {
  const { model, examples, transfer } = request;
  const file = sourceFile(model);
  if (examples.length > 0) {
    if (transfer !== undefined)
      throw new UsageError('--examples and --transfer both say how to pose; give one of them');
    return learn(request, numerics, job);
  }
  if (!isGltf(file)) {
    throw new UsageError(`'${model}' is a mesh alone; give --examples to learn from, or a .glb with a character`);
  }
  const asset = await loadGltf(file, job.warn);
  const opened = { paths: [model], bytes: file.bytes };
  if (transfer !== undefined) {
    const source = readPoser(await loadGltf(sourceFile(transfer), job.warn));
    if (!source) throw new UsageError(`'${transfer}' holds no poser; make one with pelt pose --examples … --save`);
    const poser = transferPoser(source, readRig(asset).rig, numerics, undefined, request.proxies);
    return { poser, paths: [model, transfer], bytes: file.bytes };
  }
  const saved = readPoser(asset);
  if (saved) return { ...opened, poser: saved };
  const { rig, clips } = readRig(asset);
  if (!asset.skinned || clips.length === 0) {
    throw new UsageError(`'${model}' has neither a poser nor a skinned animation; give --examples to learn from`);
  }
  return { ...opened, poser: buildPoser(rig, clips[0], { proxies: request.proxies, consecutive: true }) };
}

async function learn(
  { model, examples, controls, proxies, details }: PoserRequest,
  numerics: Numerics,
  job: Job,
): Promise<LoadedPoser> {
  const context: RunContext = stageOf(job.context, 0, 0.9);
  const loaded = await loadSequence(sourceOf(examples, model), { rest: model }, job.warn, stageOf(context, 0, 0.05));
  const { sequence } = loaded;
  const weld = weldSequence(sequence);
  const options = {
    method: 'affine',
    bones: controls ?? DEFAULT_CONTROLS,
    weights: 4,
    // Handles are given on the user's own mesh: its rest pose stays.
    restStiffness: Number.POSITIVE_INFINITY,
  } as const;
  const { rig, clip } = decompose(weld.sequence, options, { numerics, ...stageOf(context, 0.05, 0.9) });
  const consecutive = examples.length === 1 && frameCount(sequence) > 1;
  const poser = buildPoser(rig, clip, { proxies, consecutive, details }, weld.sequence, stageOf(context, 0.9, 1));
  return {
    poser: {
      ...poser,
      rig: unweldRig(rig, weld.map, sequence.rest),
      vertexProxies: weld.map.map((i) => poser.vertexProxies[i]),
      exampleDetails: poser.exampleDetails.map((detail) =>
        Float32Array.from({ length: 3 * weld.map.length }, (_, k) => detail[3 * weld.map[Math.floor(k / 3)] + (k % 3)]),
      ),
    },
    paths: loaded.paths,
    bytes: loaded.bytes,
  };
}
