/** `pelt skeleton --like`: the skeleton of a body plan or of a character in a mesh without motion. */
import { writeSkinnedGlb } from '@pelt/io';
import { type Bone, linearRigOf, stageOf, triangleCount, UsageError, vertexCount } from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import { embedSkeleton } from '@pelt/skin/embed';
import * as z from 'zod/mini';
import { loadMesh } from '../input/load-sequence.ts';
import { namedRig } from '../input/names.ts';
import { openCharacter } from '../input/open-character.ts';
import { point, readJson } from '../input/read-json.ts';
import { sourceFile } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { flagOf } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import { isPlan, type SKELETON } from './table.ts';

export interface EmbeddingReport {
  readonly input: {
    readonly name: string;
    readonly bytes: number;
    readonly vertices: number;
    readonly triangles: number;
  };
  readonly method: 'embedded';
  /** The body plan, or the file of the character. */
  readonly like: string;
  readonly bones: number;
  readonly weightsPerVertex: number;
  readonly joints: readonly { readonly name: string; readonly parent?: string; readonly at: readonly number[] }[];
  /** Joints of the skeleton whose limbs the mesh has not. */
  readonly missing: readonly string[];
  readonly seconds: { readonly read: number; readonly embed: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number };
  readonly threads: number;
}

/** Options that choose among the frames of an animation. */
const OF_FRAMES = ['rest', 'fps', 'sample', 'clip'] as const;
/** How places of joints are written. */
const LANDMARKS = '{ "LeftLowerArm": [0.3, 1.2, 0], … }';

export async function embedLike(
  { inputs, output, options }: Checked<typeof SKELETON>,
  like: string,
  job: Job,
): Promise<EmbeddingReport> {
  const ofFrames = OF_FRAMES.find((name) => options[name] !== undefined);
  if (ofFrames) throw new UsageError(`--like is for a mesh without motion; leave out ${flagOf(ofFrames)}`);
  if (inputs.length !== 1) throw new UsageError(`--like takes one mesh, not ${inputs.length} files`);
  if (!/\.glb$/i.test(output)) throw new UsageError('--like gives a skeleton without motion; write a .glb');
  job.outputs.reserve(output);
  const file = sourceFile(job.files, inputs[0]);
  const [{ mesh, template, landmarks }, read] = await timed(async () => {
    job.context.onProgress?.({ stage: 'reading', fraction: 0, detail: file.path });
    const places = options.landmarks && readJson(options.landmarks, job, z.record(z.string(), point), LANDMARKS);
    return {
      mesh: await loadMesh(file, job),
      template: isPlan(like) ? like : linearRigOf((await openCharacter(like, job, { unskinned: false })).character),
      landmarks: new Map(Object.entries(places ?? {})),
    };
  });
  job.expectFrames(vertexCount(mesh), 1);
  return withNumerics(job, async (run) => {
    const { weights, names, compress } = options;
    const [found, embed] = await timed(() =>
      embedSkeleton({ mesh, like: template }, { weights, names, landmarks }, stageOf(run, 0.05, 0.97)),
    );
    const rig = namedRig(found.rig, options.name);
    const { missing } = found;
    if (missing.length > 0)
      job.warn(`'${inputs[0]}' has no limbs for ${missing.join(', ')}; these joints are left out`);
    const [bytes, write] = await timed(async () => {
      const glb = await writeSkinnedGlb({ rig, clips: [] }, { onWarning: job.warn });
      const { bytes } = compress === 'meshopt' ? await compressGlb(glb.bytes) : glb;
      job.outputs.write(output, bytes);
      return bytes;
    });
    return {
      input: { name: file.path, bytes: file.bytes, vertices: vertexCount(mesh), triangles: triangleCount(mesh) },
      method: 'embedded' as const,
      like,
      bones: rig.bones.length,
      weightsPerVertex: rig.weights.slots,
      joints: rig.bones.map((bone) => jointOf(bone, rig.bones)),
      missing,
      seconds: { read, embed, write },
      output: { file: output, bytes: bytes.length },
      threads: run.numerics.threads,
    };
  });
}

function jointOf({ name, parent, rest }: Bone, bones: readonly Bone[]): EmbeddingReport['joints'][number] {
  return { name, ...(parent >= 0 && { parent: bones[parent].name }), at: [rest[3], rest[7], rest[11]] };
}
