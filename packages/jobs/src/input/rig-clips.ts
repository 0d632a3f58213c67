/** The poses of a rig at the frames of an animation that was read apart. */
import { type Clip, InputError } from '@pelt/model';
import { clipIndex } from './clip-index.ts';
import type { ClipSpan } from './load-clips.ts';
import type { Reader } from './load-sequence.ts';
import { type OpenedRig, openRig } from './open-rig.ts';

export class RigClips {
  readonly #path: string;
  readonly #reader: Reader;
  #own: OpenedRig | undefined;

  constructor(path: string, reader: Reader) {
    this.#path = path;
    this.#reader = reader;
  }

  async own(): Promise<OpenedRig> {
    this.#own ??= await openRig(this.#path, this.#reader);
    return this.#own;
  }

  /**
   * The clips of the rig for those of an animation, behind each other: the one clip by its number of frames, several by
   * their names as well.
   *
   * @param times   of all frames
   * @param wanted  which clip of the rig, by name or number, where the animation is one clip
   */
  async posesAt(spans: readonly ClipSpan[], times: Float64Array, wanted?: string): Promise<Clip> {
    const found: Clip[] = [];
    for (const span of spans) found.push(await this.#clipFor(span, spans.length > 1 ? span.name : wanted));
    if (found.length === 1) return found[0];
    const transforms = new Float64Array(found.reduce((sum, clip) => sum + clip.transforms.length, 0));
    let at = 0;
    for (const clip of found) {
      transforms.set(clip.transforms, at);
      at += clip.transforms.length;
    }
    return { name: found[0].name, times, transforms };
  }

  /** Keys that were thinned are sampled at the rate of the animation. */
  async #clipFor({ times }: ClipSpan, wanted: string | undefined): Promise<Clip> {
    const { clips } = await this.own();
    if (clips.length === 0) throw new InputError(`'${this.#path}' has no animation`);
    const own = wanted === undefined ? clips : [clips[clipIndex(clips, wanted)]];
    const fits = (clip: Clip) => clip.times.length === times.length;
    const exact = own.find(fits);
    if (exact) return exact;
    const fps = (times.length - 1) / (times[times.length - 1] || 1);
    if (fps > 0) {
      const { clips: sampled } = await openRig(this.#path, { ...this.#reader, warn: () => {} }, { fps });
      const found = sampled.find((clip) => fits(clip) && own.some(({ name }) => name === clip.name));
      if (found) return found;
    }
    const counts = own.map((clip) => `'${clip.name}' has ${clip.times.length}`).join(', ');
    throw new InputError(`no animation of '${this.#path}' has the ${times.length} frames that it must show; ${counts}`);
  }
}
