/** `pelt puppet`: a performance onto a character. */
import { basename } from 'node:path';
import { type GltfAsset, type RigMorphs, readMotion, readPairs, readRig, writePairs, writeSkinnedGlb } from '@pelt/io';
import { type Clip, InputError, type Motion, type PairsDocument, stageOf, UsageError } from '@pelt/model';
import {
  fillGaps,
  type GapReport,
  type PuppetOptions,
  perform,
  register,
  resolvePairs,
  suggestKeyPoses,
} from '@pelt/skin';
import { loadGltf } from '../input/load-sequence.ts';
import { besides, readBytes } from '../input/read-file.ts';
import { isGltf, sourceFile } from '../input/source-files.ts';
import { refuseToReplace } from '../output/refuse-to-replace.ts';
import { type Job, timed } from '../thread/job.ts';

/** How a recording is to be taken. */
export interface MotionOptions {
  /** Frames a second, where the recording does not say. */
  readonly fps: number | undefined;
  /** Of the picture, for landmarks in one. */
  readonly aspect: number | undefined;
  readonly depth: number | undefined;
}

export interface PuppetRequest {
  readonly character: string;
  readonly motion: string;
  readonly input: MotionOptions;
  readonly output: string;
  /** The file of pairs to learn from, or how many moments to suggest for one. */
  readonly pairs: string | number;
  readonly options: Partial<PuppetOptions>;
  /** Most keys a second in the clip. */
  readonly keys: number | undefined;
  readonly keepClips: boolean;
}

export interface PuppetReport {
  readonly input: {
    readonly character: string;
    readonly bones: number;
    readonly motion: string;
    readonly joints: number;
    readonly frames: number;
    readonly duration: number;
  };
  /** What was lost in the recording, and what was done about it. */
  readonly gaps: GapReport;
  readonly pairs: readonly string[];
  /** Of a performance: the joints that were compared, and in which parts. */
  readonly joints?: readonly string[];
  readonly parts?: readonly string[];
  /** Of a suggestion: seconds. */
  readonly times?: readonly number[];
  readonly seconds: { readonly read: number; readonly perform: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number; readonly keys: number };
}

export async function puppet(request: PuppetRequest, job: Job): Promise<PuppetReport> {
  const { character, motion: motionFile, output, pairs } = request;
  const suggests = typeof pairs === 'number';
  const extension = suggests ? '.json' : '.glb';
  if (!output.toLowerCase().endsWith(extension)) {
    const what = suggests ? 'suggested pairs are written as JSON' : 'a performance is written as GLB';
    throw new UsageError(`'${output}' is not a ${extension}; ${what}`);
  }
  job.outputs.reserve(output);
  refuseToReplace([output], [character, motionFile, ...(suggests ? [] : [pairs])]);
  const [{ asset, motion, gaps }, read] = await timed(async () => {
    job.context.onProgress?.({ stage: 'reading', fraction: 0, detail: motionFile });
    const asset = await loadCharacter(character, job);
    return { asset, ...loadMotion(motionFile, readBytes(motionFile), request.input, job.warn) };
  });
  const found = {
    input: {
      character,
      bones: asset.scene.bones.length,
      motion: motionFile,
      joints: motion.joints.length,
      frames: motion.times.length,
      duration: motion.times[motion.times.length - 1],
    },
    gaps,
  };
  return suggests
    ? { ...found, ...(await suggest(request, pairs, motion, read, job)) }
    : { ...found, ...(await play(request, pairs, asset, motion, read, job)) };
}

/** How finely clips are sampled for pairs. */
const MOMENTS_PER_SECOND = 60;

type Ending = Omit<PuppetReport, 'input' | 'gaps'>;

/** A file of pairs to fill in: moments of the motion, each with the rest pose. */
async function suggest(
  { character, output }: PuppetRequest,
  count: number,
  motion: Motion,
  read: number,
  job: Job,
): Promise<Ending> {
  const [times, seconds] = await timed(() => suggestKeyPoses(motion, count).map((t) => motion.times[t]));
  const pairs = times.map((time, k) => ({
    name: k === 0 ? 'neutral' : `pose ${k}`,
    performer: { time: Number(time.toFixed(4)) },
    character: { bones: {} },
  }));
  const document: PairsDocument = { name: basename(character), neutral: 'neutral', motions: {}, pairs };
  const bytes = writePairs(document);
  job.outputs.write(output, bytes);
  return {
    pairs: pairs.map((pair) => pair.name),
    times,
    seconds: { read, perform: seconds, write: 0 },
    output: { file: output, bytes: bytes.length, keys: 0 },
  };
}

async function play(
  request: PuppetRequest,
  pairsFile: string,
  asset: GltfAsset,
  motion: Motion,
  read: number,
  job: Job,
): Promise<Ending> {
  const { output, options, keys, keepClips } = request;
  const gltf = readRig(asset);
  const document = readPairs(readBytes(pairsFile), { name: pairsFile });
  const motions = loadMotions(document, pairsFile, request.input, job.warn);
  const registration = resolvePairs(
    document,
    { rig: gltf.rig, clips: clipsFor(document, asset), motions, played: motion },
    job.warn,
  );
  const [{ clip, parts, joints }, seconds] = await timed(() => {
    const puppet = register(gltf.rig, registration, motion.joints, options);
    const name = motion.name || 'performance';
    const clip = perform(puppet, motion, { name, framesPerSecond: keys }, stageOf(job.context, 0.1, 0.7));
    return { clip, parts: puppet.parts, joints: puppet.joints };
  });
  const [bytes, write] = await timed(async () => {
    job.context.onProgress?.({ stage: 'writing', fraction: 0.7 });
    const clips = keepClips ? [...gltf.clips, clip] : [clip];
    const morphs = gltf.morphs && withStillMorphs(gltf.morphs, clip, keepClips);
    const file = await writeSkinnedGlb(
      { rig: gltf.rig, clips, boneExtras: gltf.boneExtras, ...(morphs && { morphs }) },
      { onWarning: job.warn },
    );
    job.outputs.write(output, file.bytes);
    return file.bytes.length;
  });
  return {
    pairs: registration.pairs.map((pair) => pair.name),
    joints,
    parts,
    seconds: { read, perform: seconds, write },
    output: { file: output, bytes, keys: clip.times.length },
  };
}

function loadCharacter(path: string, job: Job): Promise<GltfAsset> {
  const file = sourceFile(path);
  if (!isGltf(file)) throw new InputError(`'${path}' is no glTF; a character is a skinned .glb or .gltf`);
  return loadGltf(file, job.warn);
}

function loadMotion(
  name: string,
  bytes: Uint8Array,
  { fps, aspect, depth }: MotionOptions,
  warn: (message: string) => void,
): { motion: Motion; gaps: GapReport } {
  const { motion, report } = fillGaps(readMotion(bytes, { name: basename(name), onWarning: warn, fps, aspect, depth }));
  if (report.interpolated + report.held > 0) {
    warn(
      `'${name}': ${report.joints.join(', ')} were lost at times; ${report.interpolated} places are interpolated, ` +
        `${report.held} held`,
    );
  }
  if (report.unseen.length > 0) warn(`'${name}': ${report.unseen.join(', ')} are never seen, and left out`);
  return { motion, gaps: report };
}

/** The character's clips as they look at any moment that a pair may name, not only at their keys. */
function clipsFor({ pairs }: PairsDocument, asset: GltfAsset): readonly Clip[] {
  const named = pairs.some(({ character }) => 'clip' in character);
  return named ? readRig(asset, { fps: MOMENTS_PER_SECOND }).clips : [];
}

/** The recordings that the file of pairs names, from its own folder. */
function loadMotions(
  { motions }: PairsDocument,
  pairsFile: string,
  options: MotionOptions,
  warn: (message: string) => void,
): Map<string, Motion> {
  const find = besides(pairsFile, warn);
  return new Map(
    Object.entries(motions).map(([key, file]) => {
      const bytes = find(file);
      if (!bytes) throw new InputError(`'${pairsFile}' names '${file}', which is not beside it`);
      return [key, loadMotion(file, bytes, options, warn).motion];
    }),
  );
}

/** Morph targets are kept, and rest during the performance. */
function withStillMorphs({ deltas, weights }: RigMorphs, clip: Clip, keepClips: boolean): RigMorphs {
  const still = new Float32Array(clip.times.length * deltas.length);
  return { deltas, weights: keepClips ? [...weights, still] : [still] };
}
