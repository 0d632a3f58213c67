/** Examples without files: poses in the ranges of a rig's joints, solved as a solid. */
import {
  type Bone,
  boundsOf,
  type Clip,
  InputError,
  linearRigOf,
  type Mesh,
  poseAt,
  type Rig,
  type Run,
  stageOf,
  UsageError,
  uniformTimes,
  vertexCount,
} from '@pelt/model';
import { deformDualQuaternion, deformLinear } from '@pelt/skin/blending';
import { teachPoses } from '@pelt/skin/teach';
import { tetrahedralize } from '@pelt/skin/tetrahedra';
import { bindVolume, createVolumeDeformer, measureBody, surfaceWeights } from '@pelt/skin/volume';
import { dressMesh } from '../input/dress-mesh.ts';
import { loadMesh } from '../input/load-sequence.ts';
import { namedMesh } from '../input/names.ts';
import { openCharacter } from '../input/open-character.ts';
import { isSameMesh } from '../input/same-mesh.ts';
import { sourceFile } from '../input/source-files.ts';
import type { Job } from '../job.ts';
import { flagOf, type Values } from '../request/table.ts';
import type { LearntSkin } from './learn-skin.ts';
import { type LoadedExamples, requireLearnable } from './load-examples.ts';
import type { ENVELOPE } from './table.ts';

/** What a solid taught. */
export interface TeacherReport {
  readonly teacher: 'volume';
  readonly tetrahedra: number;
  /** Least volume of a solved pose in volumes at rest. */
  readonly volume: number;
  /** Whose weights the surface has: those of the rig, or such as were found. */
  readonly weights: 'rig' | 'found';
  /** RMS distances on the poses left out, in units of the model: the written file, and blending by the same weights. */
  readonly leftOut: { readonly learnt: number; readonly linear: number; readonly dualQuaternion: number } | undefined;
}

export interface TaughtExamples extends LoadedExamples {
  readonly train: readonly number[];
  readonly reportOf: (deform: LearntSkin['deform']) => TeacherReport;
}

/** What only frames of a file take. */
const FOR_FRAMES = ['rest', 'fps', 'mesh', 'up', 'scale', 'clip', 'rigClip'] as const;
/** Degrees that joints of a rig without any clip turn each way. */
const FREE_RANGE = 45;

export async function teachByVolume(
  inputs: readonly string[],
  options: Values<typeof ENVELOPE>,
  job: Job,
  run: Run,
): Promise<TaughtExamples> {
  const [meshFile, ...others] = inputs;
  if (others.length > 0) {
    throw new UsageError(`with --teacher there is one input, the mesh; what is '${others[0]}'? a rig goes to --rig`);
  }
  const useless = FOR_FRAMES.find((name) => options[name] !== undefined);
  if (useless) throw new UsageError(`${flagOf(useless)} is for frames of a file; --teacher makes its own`);
  if (options.train !== 'all' || options.dynamics !== 'none') {
    const name = options.train === 'all' ? '--dynamics' : '--train';
    throw new UsageError(`${name} needs frames of a file; --teacher solves single poses`);
  }
  const rigged = await openCharacter(options.rig ?? meshFile, job);
  const { joints, clips } = rigged.character;
  if (joints.length < 2) throw new InputError(`'${rigged.path}' has no joints that could turn; give a skeleton`);
  const mesh = options.rig === undefined ? rigged.character.mesh : await loadMesh(sourceFile(job.files, meshFile), job);
  requireInside(mesh, joints, meshFile);
  const same = rigged.asset.skinned && isSameMesh(rigged.character.mesh.positions, mesh.positions);
  const saved = same ? rigged.character.body : undefined;
  const body = saved?.body ?? tetrahedralize(mesh, {}, stageOf(run, 0, 0.05)).mesh;
  const weights = same ? linearRigOf(rigged.character).weights : surfaceWeights({ body, bones: joints }, {}, run);
  const named = namedMesh(mesh);
  const dressed = { name: named.name, mesh: named, bones: joints, weights };
  const opened = same ? rigged : await dressMesh(dressed, clips, rigged.path, job.warn);
  requireLearnable(opened);
  const rig: Rig = { ...linearRigOf(opened.character), mesh };
  const binding = saved ?? bindVolume({ body, bones: joints, weights }, {}, run);
  const solid = createVolumeDeformer({ surface: mesh, bones: joints, binding }, saved?.settings ?? {}, run);
  let volume = Number.POSITIVE_INFINITY;
  const solve = (pose: Float64Array, out: Float32Array) => {
    // From the bones, not from the pose before: they have nothing in common.
    solid.reset();
    solid.deform(pose, out);
    volume = Math.min(volume, measureBody(body, solid.bodyPositions).volume);
  };
  const m = joints.length;
  const poses = clips.flatMap((clip) => Array.from(clip.times, (_, t) => poseAt(clip, t, m).transforms));
  const { poses: count, heldOut } = options;
  const range = options.range ?? (clips.length > 0 ? 0 : FREE_RANGE);
  const data = { rig, poses, teacher: { solve } };
  const taught = teachPoses(data, { poses: count, heldOut, range }, stageOf(run, 0.05, 0.3));
  solid.dispose();
  const times = uniformTimes(count + heldOut, 1);
  const clip: Clip = { name: 'taught', times, transforms: taught.transforms };
  const sequence = { name: 'taught', rest: mesh, frames: taught.shapes, times };
  const bytes = sourceFile(job.files, meshFile).bytes;
  return {
    rig,
    clip,
    opened,
    sequence,
    spans: [times.length],
    input: { name: meshFile, bytes, vertices: vertexCount(mesh), frames: times.length },
    train: taught.train,
    reportOf: (deform) => ({
      teacher: 'volume',
      tetrahedra: body.tetrahedra.length / 4,
      volume,
      weights: same ? 'rig' : 'found',
      leftOut: heldOut > 0 ? leftOutErrors(rig, taught, deform) : undefined,
    }),
  };
}

function leftOutErrors(
  { mesh, weights, bones }: Rig,
  { transforms, shapes, heldOut }: ReturnType<typeof teachPoses>,
  deform: LearntSkin['deform'],
) {
  const [size, m] = [mesh.positions.length, 12 * bones.length];
  const out = new Float32Array(size);
  const rms = (play: LearntSkin['deform']) => {
    let sum = 0;
    for (const t of heldOut) {
      play(transforms.subarray(t * m, (t + 1) * m), out, t);
      for (let k = 0; k < size; k++) sum += (out[k] - shapes[t * size + k]) ** 2;
    }
    return Math.sqrt((3 * sum) / (size * heldOut.length));
  };
  return {
    learnt: rms(deform),
    linear: rms((pose) => deformLinear(mesh.positions, weights, pose, out)),
    dualQuaternion: rms((pose) => deformDualQuaternion(mesh.positions, weights, pose, out)),
  };
}

/** A skeleton that lies elsewhere than the mesh. */
function requireInside({ positions }: Mesh, bones: readonly Bone[], path: string): void {
  const { min, max } = boundsOf(positions);
  const isOut = ({ rest }: Bone) => [0, 1, 2].some((k) => rest[4 * k + 3] < min[k] || rest[4 * k + 3] > max[k]);
  const strays = bones.filter(isOut).length;
  if (2 * strays <= bones.length) return;
  throw new InputError(
    `${strays} of ${bones.length} joints are outside '${path}'; bring mesh and skeleton to one place, unit and pose`,
  );
}
