/** `pelt puppet`: retargets a performance to a character. */
import { puppetExtension, readCharacter, readPairs, writePairs } from '@pelt/io';
import {
  type Capsules,
  InputError,
  linearRigOf,
  type Motion,
  type PairsDocument,
  type Pose,
  type PuppetSettings,
  type Registration,
  type Rig,
  type Run,
  stageOf,
  UsageError,
} from '@pelt/model';
import { fitCapsules } from '@pelt/skin/capsules';
import {
  createPuppet,
  fillGaps,
  type GapReport,
  type Humanoid,
  measureTake,
  mirrorMotion,
  type PairSources,
  type PerformerCalibration,
  type Puppet,
  resolvePairs,
  retargetMotion,
  suggestKeyPoses,
  suggestNeutral,
  type TakeQuality,
} from '@pelt/skin/puppet';
import { besides } from '../files/besides.ts';
import { learnFromClips } from '../input/learn-poser.ts';
import { encodeCharacter, type OpenedCharacter } from '../input/open-character.ts';
import { withSkinMorphs } from '../input/skin-morphs.ts';
import { type Job, timed } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import { type CalibratedMotion, calibrateRecording } from './calibrate-recording.ts';
import { withFace } from './face-track.ts';
import { liveReport } from './live-report.ts';
import { openPerformer } from './open-shapes.ts';
import { isShapeSource, shapeSolver } from './pair-shapes.ts';
import type { LiveReport } from './perform-live.ts';
import { playShapes, requireShapeOutput, withPoseSpace } from './play-shapes.ts';
import { readAnyMotion } from './read-any-motion.ts';
import { priorOf, settingsOf } from './settings.ts';
import type { PUPPET } from './table.ts';
import { type PairWeights, WeightRecord, writeChart } from './weight-chart.ts';

type PuppetRequest = Checked<typeof PUPPET>;
type Performer = Awaited<ReturnType<typeof openPerformer>>;
type WritingRequest = PuppetRequest & { readonly output: string };

export interface PuppetReport {
  readonly input: {
    readonly character: string;
    readonly bones: number;
    readonly motion: string;
    readonly joints: number;
    readonly frames: number;
    readonly duration: number;
  };
  /** Where the performer stands in the recording, in seconds, and how it was turned by that, in degrees. */
  readonly calibration?: Pick<PerformerCalibration, 'from' | 'to' | 'yaw' | 'tilt'>;
  /** What was lost in the recording, and what was done about it. */
  readonly gaps: GapReport;
  readonly pairs: readonly string[];
  /** Of a performance: the joints that were compared, and in which parts. */
  readonly joints?: readonly string[];
  readonly parts?: readonly string[];
  /** The human body that was recognised in the character: how, the bones by place, and places without one. */
  readonly humanoid?: Pick<Humanoid, 'by' | 'bones' | 'missing'>;
  /** Bones that are planted while they touch the ground. */
  readonly feet?: readonly string[];
  /** How steady the result is, in figures. */
  readonly quality?: TakeQuality;
  /** How much each pair counts, of each part, over time. */
  readonly weights?: PairWeights;
  /** Of a live performance. */
  readonly live?: LiveReport;
  /** Of a suggestion: seconds. */
  readonly times?: readonly number[];
  readonly seconds: { readonly read: number; readonly perform: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number; readonly keys: number };
}

export async function puppet(request: PuppetRequest, job: Job): Promise<PuppetReport> {
  const { inputs, options } = request;
  const [character] = inputs;
  if (options.live !== undefined || options.send !== undefined) return liveReport(request, job);
  const { output, motionFile } = requireFiles(request);
  const { pairs, suggest } = options;
  if (pairs !== undefined && suggest !== undefined) {
    throw new UsageError('--pairs learns and --suggest prepares that; give one of them');
  }
  const [{ performer, performance, gaps }, read] = await timed(async () => {
    job.context.onProgress?.({ stage: 'reading', fraction: 0, detail: motionFile });
    const performer = await openPerformer(character, options, job);
    requireOutput(output, performer.kind, suggest !== undefined);
    job.outputs.reserve(output);
    return { performer, ...(await loadMotion(motionFile, job.files.read(motionFile), options, job)) };
  });
  const { motion, calibration } = performance;
  const { joints, times } = motion;
  const input = {
    character,
    bones: performer.kind === 'rig' ? performer.opened.character.joints.length : performer.controls,
    motion: motionFile,
    joints: joints.length,
    frames: times.length,
    duration: times[times.length - 1],
  };
  const ending =
    suggest !== undefined
      ? suggestPairs({ ...request, output }, performer, motion, job)
      : performer.kind === 'rig'
        ? play({ ...request, output }, pairs, performer.opened, performance, job)
        : withNumerics(job, (run) => perform({ ...request, output }, performer, motion, run, job));
  const { seconds, ...figures } = await ending;
  const stood = calibration && {
    calibration: { from: calibration.from, to: calibration.to, yaw: calibration.yaw, tilt: calibration.tilt },
  };
  return { input, ...stood, gaps, ...figures, seconds: { read, ...seconds } };
}

/** What a recording needs and a live performer does not. */
function requireFiles({ output, options: { motion } }: PuppetRequest): { output: string; motionFile: string } {
  if (motion === undefined) throw new UsageError('there is no motion; give --motion a file, or --live a stream');
  if (output === undefined) throw new UsageError('there is no file to write; give -o');
  return { output, motionFile: motion };
}

/** How finely clips are sampled for pairs. */
const MOMENTS_PER_SECOND = 60;

/** What the two ways to end have to report. */
type Ending = Omit<PuppetReport, 'input' | 'calibration' | 'gaps' | 'seconds'> & {
  seconds: Omit<PuppetReport['seconds'], 'read'>;
};

/** A file of pairs to fill in: moments of the motion, each with the rest pose. */
async function suggestPairs(
  { output, options: { suggest: count = 0 } }: WritingRequest,
  performer: Performer,
  motion: Motion,
  job: Job,
): Promise<Ending> {
  const [times, seconds] = await timed(() => suggestKeyPoses(motion, { count }).map((t) => motion.times[t]));
  const pairs = times.map((time, k) => ({
    name: k === 0 ? 'neutral' : `pose ${k}`,
    performer: { time: Number(time.toFixed(4)) },
    character: performer.kind === 'rig' ? { bones: {} } : { example: 'rest' },
  }));
  const name = performer.kind === 'rig' ? performer.opened.character.name : performer.name;
  const document: PairsDocument = { name, neutral: 'neutral', motions: {}, pairs };
  const bytes = writePairs(document);
  job.outputs.write(output, bytes);
  return {
    pairs: pairs.map((pair) => pair.name),
    times,
    seconds: { perform: seconds, write: 0 },
    output: { file: output, bytes: bytes.length, keys: 0 },
  };
}

function requireOutput(output: string, kind: Performer['kind'], suggests: boolean): void {
  if (kind === 'shapes' && !suggests) {
    requireShapeOutput(output);
    return;
  }
  const [extension, what] = suggests ? ['.json', 'suggested pairs'] : ['.glb', 'a performance'];
  if (output.toLowerCase().endsWith(extension)) return;
  throw new UsageError(`'${output}' is not a ${extension} file, which ${what} is written as`);
}

/** Of a character without a skeleton. */
async function perform(
  request: WritingRequest,
  performer: Extract<Performer, { kind: 'shapes' }>,
  motion: Motion,
  run: Run,
  job: Job,
): Promise<Ending> {
  const { output, options } = request;
  const loaded = await performer.learn(stageOf(run, 0, 0.6));
  return withPoseSpace(loaded, run, async (space) => {
    const kept = loaded.opened?.character.puppet;
    const { pairs: file } = options;
    const pairs =
      file === undefined
        ? kept?.pairs
        : await loadPairs(
            file,
            { rig: loaded.poser.rig, clips: [], shapes: shapeSolver(loaded, space, true, job) },
            motion,
            options,
            job,
          );
    if (!pairs) throw new UsageError(`'${performer.name}' has shapes and no skeleton; give --pairs that name them`);
    const settings = { ...(file === undefined ? kept?.settings : {}), ...settingsOf(options) };
    const played = await playShapes(request, loaded, space, { pairs, settings }, motion, run, job);
    const { puppet, keys, bytes, ...seconds } = played;
    return {
      pairs: pairs.pairs.map((pair) => pair.name),
      joints: puppet.joints,
      parts: puppet.parts,
      feet: puppet.feet,
      seconds,
      output: { file: output, bytes, keys },
    };
  });
}

async function play(
  request: WritingRequest,
  pairsFile: string | undefined,
  opened: OpenedCharacter,
  { motion, calibration, facing }: CalibratedMotion,
  job: Job,
): Promise<Ending> {
  const { output, options } = request;
  const { delay, travel, turn, prior } = options;
  const { character } = opened;
  const rig = linearRigOf(character);
  const saved = pairsFile === undefined ? character.puppet : undefined;
  const settings = { ...saved?.settings, ...settingsOf(options) };
  const { contacts } = settings;
  const pairs = pairsFile === undefined ? saved?.pairs : await rigPairs(pairsFile, opened, rig, motion, options, job);
  if (options.handle.length > 0) {
    throw new UsageError(`'${rig.name}' has joints; --handle holds vertices of a character that has shapes alone`);
  }
  if (options.savePairs && !pairs) throw new UsageError('there are no pairs to save; give --pairs');
  const [{ clip, puppet, capsules, weights }, seconds] = await timed(async () => {
    const neutral = calibration ? undefined : suggestNeutral(motion);
    const { humanBones } = character;
    const capsules = options.selfContact ? await capsulesOf(rig, job) : undefined;
    const performer = { performer: motion.joints, camera: motion.camera, neutral, calibration, facing };
    const puppet = createPuppet(
      { character: rig, humanBones, pairs, capsules, ...performer },
      { ...settings, delay, travel, turn, prior: priorOf(prior) },
    );
    const weights = pairs && puppet.parts.length > 0 ? new WeightRecord(puppet.parts, pairs) : undefined;
    const clip = retargetMotion(
      { puppet, motion, onKey: () => weights?.add(puppet.weights) },
      { name: options.name, fps: options.keys },
      stageOf(job.context, 0.1, 0.7),
    );
    return { clip, puppet, capsules, weights: weights?.over(clip.times) };
  });
  if (options.chart !== undefined) writeChart(options.chart, weights, job);
  warnOfBody(puppet, rig.name, contacts, job);
  const [bytes, write] = await timed(async () => {
    job.context.onProgress?.({ stage: 'writing', fraction: 0.7 });
    const keeping = options.savePairs && pairs ? [puppetExtension({ pairs, settings })] : [];
    const clips = [withFace(await withSkinMorphs(character, clip), character, options.face, job)];
    const changes = { clips, extensions: keeping, ...(!options.keepClips && { keep: [] }) };
    const file = await encodeCharacter(opened, changes, job.warn);
    job.outputs.write(output, file);
    return file.length;
  });
  return {
    pairs: pairs?.pairs.map((pair) => pair.name) ?? [],
    joints: puppet.joints,
    parts: puppet.parts,
    ...(puppet.humanoid && { humanoid: summaryOf(puppet.humanoid) }),
    feet: puppet.feet,
    quality: measureTake({ character: rig, humanBones: character.humanBones, clip, capsules }),
    ...(weights && { weights }),
    seconds: { perform: seconds, write },
    output: { file: output, bytes, keys: clip.times.length },
  };
}

/** Capsules of the body; undefined where it has none to speak of. */
function capsulesOf(rig: Rig, job: Job): Promise<Capsules | undefined> {
  return withNumerics(job, async (run) => {
    const capsules = fitCapsules(rig, undefined, run);
    return capsules.bones.length > 0 ? capsules : undefined;
  });
}

function summaryOf({ by, bones, missing }: Humanoid): NonNullable<PuppetReport['humanoid']> {
  return { by, bones, missing };
}

/** What the user may want to know of how the character was understood. */
function warnOfBody(
  { humanoid, feet }: Puppet,
  name: string,
  contacts: PuppetSettings['contacts'],
  { warn }: Job,
): void {
  if (humanoid?.by === 'shape')
    warn(`'${name}': the names of the bones say nothing; the body is recognised by its shape`);
  if (humanoid && humanoid.missing.length > 0) {
    warn(`'${name}': no bone is recognised as ${humanoid.missing.join(', ')}; what is there follows its parent`);
  }
  const wanted = Array.isArray(contacts) ? contacts.length : contacts === 'auto' ? 1 : 0;
  if (feet.length >= wanted) return;
  warn(
    feet.length === 0
      ? `'${name}': no foot at the end of two bones stands on the ground; feet may slide`
      : `'${name}': of the feet, only ${feet.join(', ')} end a limb of two bones; the others may slide`,
  );
}

/** The pairs of a file for a character with joints. */
async function rigPairs(
  pairsFile: string,
  opened: OpenedCharacter,
  rig: Rig,
  motion: Motion,
  options: PuppetRequest['options'],
  job: Job,
): Promise<Registration> {
  const { pairs } = readPairs(job.files.read(pairsFile), { name: pairsFile });
  // The character's clips as they look at any moment that a pair may name, not only at their keys.
  const usesClips = pairs.some((pair) => 'clip' in pair.character);
  const clips = usesClips ? readCharacter(opened.asset, { fps: MOMENTS_PER_SECOND }).clips : [];
  const usesShapes = pairs.some((pair) => isShapeSource(pair.character));
  if (!usesShapes) return loadPairs(pairsFile, { rig, clips }, motion, options, job);
  return withNumerics(job, async (run) => {
    const poser = opened.character.poseSpace ?? learnFromClips(opened, {}, run, job);
    const loaded = { poser, bytes: 0 };
    return withPoseSpace(loaded, run, (space) =>
      loadPairs(pairsFile, { rig, clips, shapes: shapeSolver(loaded, space, false, job) }, motion, options, job),
    );
  });
}

/** The pairs of a file, which must show something. */
async function loadPairs(
  pairsFile: string,
  sources: Pick<PairSources, 'rig' | 'clips' | 'shapes'>,
  motion: Motion,
  options: PuppetRequest['options'],
  job: Job,
): Promise<Registration> {
  const document = readPairs(job.files.read(pairsFile), { name: pairsFile });
  const motions = await loadMotions(document, pairsFile, options, job);
  const registration = resolvePairs(
    { document, sources: { ...sources, motions, played: motion } },
    { onWarning: job.warn },
  );
  const { pairs } = registration;
  const isRest = ({ transforms }: Pose) => transforms.every((value, k) => Math.abs(value - REST[k % 12]) < UNMOVED);
  if (pairs.length > 1 && pairs.every(({ character }) => isRest(character))) {
    throw new InputError(
      `'${pairsFile}': all ${pairs.length} poses of the character are its rest pose; fill in "character" of each pair`,
    );
  }
  return registration;
}

/** The transform of a bone in the rest pose, and the largest deviation of one that was not posed. */
const REST = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const UNMOVED = 1e-9;

async function loadMotion(
  name: string,
  bytes: Uint8Array,
  options: PuppetRequest['options'],
  job: Job,
): Promise<{ performance: CalibratedMotion; gaps: GapReport }> {
  const { warn } = job;
  const read = await readAnyMotion(name, bytes, options, job);
  const { motion, report } = fillGaps(options.mirror ? mirrorMotion(read) : read);
  if (report.interpolated + report.held > 0) {
    warn(
      `'${name}': ${report.joints.join(', ')} were lost at times; ${report.interpolated} places are interpolated, ` +
        `${report.held} held`,
    );
  }
  if (report.unseen.length > 0) warn(`'${name}': ${report.unseen.join(', ')} are never seen, and left out`);
  return { performance: calibrateRecording(motion, options, job), gaps: report };
}

/** The recordings that the file of pairs names, from its own folder. */
async function loadMotions(
  { motions }: PairsDocument,
  pairsFile: string,
  options: PuppetRequest['options'],
  job: Job,
): Promise<Map<string, Motion>> {
  const find = besides(job.files, pairsFile, job.warn);
  const loaded = new Map<string, Motion>();
  for (const [key, file] of Object.entries(motions)) {
    const bytes = find(file);
    if (!bytes) throw new InputError(`'${pairsFile}' names '${file}', which is not beside it`);
    loaded.set(key, (await loadMotion(file, bytes, options, job)).performance.motion);
  }
  return loaded;
}
