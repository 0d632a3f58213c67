/** `pelt pose`: poses a character by points of its skin, once or over time. */
import {
  checkCancelled,
  exampleCount,
  type MeshSequence,
  type Poser,
  proxyCount,
  regionCount,
  TRANSFORM_SIZE,
  UsageError,
  vertexCount,
} from '@pelt/model';
import { createPoseSession, type Handle, MOVING_EASE, type PoseSession } from '@pelt/skin/pose';
import type { LoadedPoser } from '../input/learn-poser.ts';
import { type Job, timed } from '../job.ts';
import { totalBytes } from '../outputs/outputs.ts';
import { outputFormat, outputPaths, writeSequence } from '../outputs/sequence-files.ts';
import { writePosable } from '../outputs/write-posable.ts';
import type { Checked } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import { loadPoser } from './load-poser.ts';
import { PosedSkin } from './posed-skin.ts';
import { type HandlePath, readHandlePath } from './read-handle-path.ts';
import type { POSE } from './table.ts';

export interface PoseReport {
  readonly model: {
    readonly file: string;
    readonly bytes: number;
    readonly vertices: number;
    readonly controls: number;
    readonly proxies: number;
    readonly examples: number;
    /** That blend the examples each for itself. */
    readonly regions: number;
  };
  readonly frames: number;
  /** Of the last frame: how far each handle is from its target. */
  readonly handles: readonly { readonly vertex: number; readonly error: number }[];
  readonly largestHandleError: number;
  /** Over all frames. */
  readonly iterations: number;
  readonly seconds: { readonly read: number; readonly solve: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number } | undefined;
  readonly saved: { readonly file: string; readonly bytes: number } | undefined;
  readonly threads: number;
}

export async function pose(request: Checked<typeof POSE>, job: Job): Promise<PoseReport> {
  const { inputs, output, options } = request;
  const [model] = inputs;
  const { save, ridge, pull, plant: plants } = options;
  if (output === undefined && save === undefined) throw new UsageError('nothing to write; give -o, --save or both');
  const handles = [...options.handle, ...options.soft];
  if (options.path !== undefined && handles.length > 0) {
    throw new UsageError('--path and --handle both say where points go; give one of them');
  }
  if (output !== undefined) outputFormat(output);
  const path = options.path === undefined ? still(handles) : readHandlePath(options.path, job);
  const S = path.frames.length;
  if (output !== undefined) job.outputs.claim(outputPaths(output, S));
  if (save !== undefined) job.outputs.reserve(save);
  return withNumerics(job, async (run) => {
    const [loaded, read] = await timed(() => loadPoser(model, options, run, job));
    const { poser, bytes } = loaded;
    const { rig } = poser;
    const open = async (stays: boolean) => {
      const ease = S > 1 ? MOVING_EASE : 0;
      const session = createPoseSession(poser, { ridge, pull, plants, stays, ease }, run);
      return { session, skin: await PosedSkin.of(loaded, session) };
    };
    let posing = await open(true);
    let iterations = 0;
    // A single pose has nowhere to stay: where its handles cannot be reached from there, the body goes along.
    const [, firstSolve] = await timed(async () => {
      if (S > 1 || regionCount(poser) === 1) return;
      const reached = isReached(posing, path.frames[0], poser);
      iterations += posing.session.state.iterations;
      if (!reached) posing = await open(false);
    });
    const { session, skin } = posing;
    const transforms = new Float64Array(S * rig.bones.length * TRANSFORM_SIZE);
    // Mirrored examples have no details.
    const detailed = poser.exampleDetails.length;
    const blends = new Float32Array(S * detailed);
    const frames = new Float32Array(S * rig.mesh.positions.length);
    let largest = 0;
    const [, solve] = await timed(() => {
      path.frames.forEach((handles, t) => {
        checkCancelled(job.context);
        session.setHandles(handles);
        // Handles that were reached at the first look are at rest.
        const { atRest } = session.state;
        const solved = session.step().iterations;
        if (!atRest) iterations += solved;
        transforms.set(session.pose().transforms, t * rig.bones.length * TRANSFORM_SIZE);
        blends.set(session.blend.subarray(0, detailed), t * detailed);
        const frame = frames.subarray(t * rig.mesh.positions.length, (t + 1) * rig.mesh.positions.length);
        skin.positions(frame);
        handles.forEach((handle, c) => {
          largest = Math.max(largest, skin.handleError(c, handle, frame));
        });
        job.context.onProgress?.({ stage: 'posing', fraction: 0.9 + (0.08 * (t + 1)) / S });
      });
    });
    const [written, write] = await timed(async () => ({
      output:
        output === undefined ? undefined : await writePosed(output, loaded, path, { transforms, blends, frames }, job),
      saved: save === undefined ? undefined : await writePosable(save, loaded, undefined, job),
    }));
    return {
      model: {
        file: model,
        bytes,
        vertices: vertexCount(rig.mesh),
        controls: rig.bones.length,
        proxies: proxyCount(poser),
        examples: exampleCount(poser),
        regions: regionCount(poser),
      },
      frames: S,
      handles: path.frames[S - 1].map((handle, c) => ({
        vertex: handle.vertex,
        error: skin.handleError(c, handle, frames.subarray((S - 1) * rig.mesh.positions.length)),
      })),
      largestHandleError: largest,
      iterations,
      seconds: { read, solve: firstSolve + solve, write },
      ...written,
      threads: run.numerics.threads,
    };
  });
}

/** Gap of a handle that is met, in model sizes. */
const MET = 0.01;

/** Whether every handle that is not soft can be met while what is far stays. */
function isReached(
  { session, skin }: { readonly session: PoseSession; readonly skin: PosedSkin },
  handles: readonly Handle[],
  { rig, size }: Poser,
): boolean {
  session.setHandles(handles);
  session.step();
  session.pose();
  const positions = new Float32Array(rig.mesh.positions.length);
  skin.positions(positions);
  return handles.every((handle, c) => handle.softness || skin.handleError(c, handle, positions) <= MET * size);
}

function still(handles: readonly Handle[]): HandlePath {
  return { times: Float64Array.of(0), frames: [handles] };
}

/** What was found for every frame. */
interface Posed {
  /** S × m × 12 */
  readonly transforms: Float64Array;
  /** S × the examples that have details: their shares */
  readonly blends: Float32Array;
  /** S × n × 3 */
  readonly frames: Float32Array;
}

/** A pose as a mesh; a clip as a character that plays it and can be posed again, or as frames. */
async function writePosed(
  output: string,
  loaded: LoadedPoser,
  { times }: HandlePath,
  { transforms, blends, frames }: Posed,
  job: Job,
) {
  if (times.length > 1 && outputFormat(output) === 'glb') {
    return writePosable(output, loaded, { name: 'posed', times, transforms, blends }, job);
  }
  const { poser } = loaded;
  const sequence: MeshSequence = { name: poser.name, rest: poser.rig.mesh, frames, times };
  const before = totalBytes(job.outputs);
  await writeSequence(output, sequence, job, {}, job.context);
  return { file: output, bytes: totalBytes(job.outputs) - before };
}
