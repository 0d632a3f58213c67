import {
  frameAt,
  frameCount,
  gatherVertices,
  InputError,
  type MeshSequence,
  resolveOptions,
  validateMeshSequence,
} from '@pelt/model';
import { smoothNormals } from '../smooth-normals.ts';
import { deltaAccessor } from './delta-accessor.ts';
import { GLB_DEFAULTS, type GlbExtensions, type GlbFile, type GlbOptions } from './glb-options.ts';
import { finishVertices } from './own-vertices.ts';
import { turnedNormalDeltas } from './turn-normals.ts';
import { floatTimes } from './write-times.ts';

/**
 * A moving mesh as morph targets: one for each frame, fully on at its own time and off at its neighbours', so that a
 * player blends each frame into the next. Frames that were there before share a target, frames at rest need none, and
 * targets that move few vertices are sparse.
 */
export interface MorphGlbOptions extends GlbOptions {
  /** Where there are normals, let them turn with the surface; without, the light stays as at rest. */
  readonly morphNormals: boolean;
  /** Data of pelt's own to store at the root. */
  readonly extensions: GlbExtensions;
  /** Animations that the frames are, one behind the other, with their own times; none: one animation. */
  readonly clips: readonly { readonly name: string; readonly times: Float64Array }[];
}

export const MORPH_GLB_DEFAULTS: MorphGlbOptions = { ...GLB_DEFAULTS, morphNormals: true, extensions: [], clips: [] };

/**
 * Writes a sequence as a GLB with one morph target per distinct frame.
 * @example
 * {@includeCode ../../examples/sequences.ts}
 */
export async function writeMorphGlb(sequence: MeshSequence, options?: Partial<MorphGlbOptions>): Promise<GlbFile> {
  const resolved = resolveOptions('writeMorphGlb', MORPH_GLB_DEFAULTS, options);
  validateMeshSequence(sequence);
  const { rest } = sequence;
  const { writeMesh } = await import('./write-mesh.ts');
  const written = writeMesh(rest, resolved);
  const { glb, nodes, primitives, normals } = written;
  const { vertexMap } = written.vertices;
  const expand = (values: Float32Array) => gatherVertices(values, 3, vertexMap);
  const { targets, targetOfFrame } = distinctFrames(sequence);
  const before = normals && resolved.morphNormals ? expand(smoothNormals(rest.positions, rest.triangles)) : undefined;

  for (const t of targets) {
    const frame = frameAt(sequence, t);
    const target = glb.document.createPrimitiveTarget(`frame ${t}`);
    const moved = frame.map((value, k) => value - rest.positions[k]);
    target.setAttribute('POSITION', deltaAccessor(glb, expand(moved)));
    if (normals && before) {
      const after = expand(smoothNormals(frame, rest.triangles));
      target.setAttribute('NORMAL', deltaAccessor(glb, turnedNormalDeltas(normals, before, after)));
    }
    for (const primitive of primitives) primitive.addTarget(target);
  }
  for (const node of nodes) node.getMesh()?.setWeights(new Array(targets.length).fill(0));
  let first = 0;
  for (const { name, times } of clipsOf(sequence, resolved.clips)) {
    const weights = new Float32Array(times.length * targets.length);
    for (let t = 0; t < times.length; t++) {
      const target = targetOfFrame[first + t];
      if (target >= 0) weights[t * targets.length + target] = 1;
    }
    first += times.length;
    const sampler = glb.document
      .createAnimationSampler()
      .setInput(glb.accessor('SCALAR', floatTimes(times, name)))
      .setOutput(glb.accessor('SCALAR', weights));
    const animation = glb.document.createAnimation(name).addSampler(sampler);
    for (const node of nodes) {
      const channel = glb.document.createAnimationChannel().setTargetNode(node).setTargetPath('weights');
      animation.addChannel(channel.setSampler(sampler));
    }
  }
  const own = finishVertices(written, resolved.extensions);
  return { bytes: await glb.toBytes(), vertexMap: own };
}

function clipsOf(sequence: MeshSequence, clips: MorphGlbOptions['clips']): MorphGlbOptions['clips'] {
  if (clips.length === 0) return [sequence];
  const S = clips.reduce((sum, { times }) => sum + times.length, 0);
  if (S === frameCount(sequence)) return clips;
  throw new InputError(`clips: they have ${S} frames, but the sequence has ${frameCount(sequence)}`);
}

/** The frames that need a target of their own, and the target of each frame (−1 for one at rest). */
function distinctFrames(sequence: MeshSequence): { readonly targets: number[]; readonly targetOfFrame: Int32Array } {
  const S = frameCount(sequence);
  const targets: number[] = [];
  const targetOfFrame = new Int32Array(S).fill(-1);
  const byHash = new Map<number, number[]>();
  for (let t = 0; t < S; t++) {
    const frame = frameAt(sequence, t);
    if (sameNumbers(frame, sequence.rest.positions)) continue;
    const hash = hashOf(frame);
    const alike = byHash.get(hash) ?? [];
    const found = alike.find((r) => sameNumbers(frameAt(sequence, targets[r]), frame));
    targetOfFrame[t] = found ?? targets.length;
    if (found !== undefined) continue;
    byHash.set(hash, [...alike, targets.length]);
    targets.push(t);
  }
  // A sequence that never leaves its rest pose keeps its length by a target that does nothing.
  return targets.length > 0 ? { targets, targetOfFrame } : { targets: [0], targetOfFrame };
}

function sameNumbers(a: Float32Array, b: Float32Array): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

/** FNV-1a over the numbers' bits: equal frames have equal hashes, others almost never. */
function hashOf(values: Float32Array): number {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  let hash = 0x811c9dc5;
  for (let k = 0; k < bits.length; k++) hash = Math.imul(hash ^ bits[k], 0x01000193);
  return hash;
}
