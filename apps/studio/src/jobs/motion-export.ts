/** The motion of a clip taken out of the studio: on the character with its own skin, as a skeleton, or as shapes. */
import type { JobRequest } from '@pelt/jobs';
import { VOLUME } from '@pelt/jobs/tables';
import type { ExtraFile } from '../store/document.ts';
import type { StoredFile } from '../store/library.ts';
import { effectiveOptions, type MoreOptions } from '../store/more-options.ts';
import { ask } from './ask.ts';
import type { JointClip } from './joint-clips.ts';
import type { Workbench } from './workbench.ts';

export const MOTION_EXPORTS = {
  glb: 'GLB, its own skin',
  bvh: 'BVH',
  pc2: 'PC2, as shown',
  solid: 'GLB, the solid baked',
} as const;
export type MotionExport = keyof typeof MOTION_EXPORTS;

/** How shapes are made of the joints. */
export interface MotionSkin {
  readonly name: string;
  readonly more: MoreOptions;
  readonly examples: readonly ExtraFile[];
  /** Frames of the examples, as the command takes them. */
  readonly at: string;
}

/** Undefined where it failed or was stopped. */
export async function exportMotion(
  bench: Workbench,
  character: StoredFile,
  clip: JointClip,
  kind: MotionExport,
  skin: MotionSkin,
): Promise<StoredFile | undefined> {
  const stem = character.path.replace(/\.\w+$/, '');
  const slug = clip.name.replace(/[^\w-]+/g, '-').toLowerCase();
  const animated = await ask({ type: 'animate', file: character, clip, path: `${stem}-${slug}.glb` });
  if (kind === 'glb') return animated;
  const make = async (request: JobRequest, files: readonly StoredFile[]) => (await bench.make(request, files))?.[0];
  // The new clip is the first of the file.
  const options = { clip: '0' };
  if (kind === 'bvh') {
    return make({ command: 'convert', inputs: [animated.path], output: `${stem}-${slug}.bvh`, options }, [animated]);
  }
  if (kind === 'solid' || skin.name === 'volume') {
    const files = skin.examples.flatMap(({ id }) => bench.library.get(id)?.files ?? []);
    const examples = files.length > 0 && { examples: files.map(({ path }) => path), ...framesOf(skin.at) };
    const output = kind === 'solid' ? `${stem}-${slug}-solid.glb` : `${stem}-${slug}.pc2`;
    const request = {
      command: 'volume',
      inputs: [animated.path],
      output,
      options: { ...options, ...effectiveOptions(VOLUME, skin.more, {}), ...examples },
    } as JobRequest;
    return make(request, [animated, ...files]);
  }
  const blending = skin.name === 'dual' ? 'dual-quaternion' : skin.name === 'linear' ? 'linear' : undefined;
  const blended =
    blending &&
    (await make(
      { command: 'convert', inputs: [animated.path], output: `${stem}-blended.glb`, options: { ...options, blending } },
      [animated],
    ));
  if (blending && !blended) return undefined;
  const from = blended ?? animated;
  return make({ command: 'convert', inputs: [from.path], output: `${stem}-${slug}.pc2`, options }, [from]);
}

function framesOf(at: string): { readonly at?: number[] } {
  const frames = at.split(',').flatMap((word) => (word.trim() === '' ? [] : [Number(word)]));
  return frames.length > 0 ? { at: frames } : {};
}
