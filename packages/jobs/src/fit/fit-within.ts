/**
 * `pelt fit --budget`: the least error within so many bytes, over bones, displacements, keys and bits together.
 *
 * Few bones leave more bytes to their numbers, many leave less error to them: over the number of bones the least error
 * that fits falls and rises again. Numbers are doubled until it rises, and tried between; then displacements (EigenSkin) are
 * added to the best, as long as they are worth their bytes. For each fit the least error of packing that fits is found by
 * bisection; its square adds to that of the fit's own error.
 */
import { eigenSkinExtension, writeSkinnedGlb } from '@pelt/io';
import {
  type Clip,
  checkCancelled,
  type MeshSequence,
  type Rig,
  type Run,
  type SequenceErrors,
  stageOf,
  UsageError,
} from '@pelt/model';
import { compressGlb, type RewrittenGltf, type Transport, UNSEEN_ERROR } from '@pelt/pack';
import { type Decomposition, decompose, eigenSkin } from '@pelt/skin/decompose';
import { atOwnStarts, type LoadedClips } from '../input/load-clips.ts';
import type { Job } from '../job.ts';
import { kilobytes } from '../outputs/growth.ts';
import type { Checked } from '../request/table.ts';
import { errorOfPacked } from './encode-fit.ts';
import type { FitReport } from './fit.ts';
import { fitOpened, type OpenedForFit } from './fit-to-file.ts';
import { cutAmounts, inBytes } from './packed-model.ts';
import { type PackedForm, packedForm, sayIfSmaller } from './smaller-forms.ts';
import type { FIT } from './table.ts';

/** Numbers of bones, doubled: the fewest, and the most where no other number is given. */
const [FEWEST, MOST] = [6, 96];
/** Twice the bones, and as long a fit, are worth less error than this. */
const WORTH = 0.97;
const RANKS = [2, 4, 8];
/** Errors of packing that are tried, from fine to coarse, as shares of the diagonal. */
const [FINEST, COARSEST] = [UNSEEN_ERROR / 2, 0.03];
const HALVINGS = 5;
/** What the search chooses, or what asks for another. */
const OTHERS = ['maxError', 'paint', 'sample', 'chunk', 'stage', 'lock', 'eigenskin', 'root'] as const;
const WORDS: Readonly<Record<string, string>> = { maxError: 'max-error' };

interface MeshAnimation {
  readonly sequence: MeshSequence;
  readonly rig: Rig;
  readonly clip: Clip;
}

interface Candidate {
  readonly fitted: Decomposition;
  readonly displacements: number;
  readonly packed: RewrittenGltf;
  readonly vertexMap: Uint32Array;
  /** Of the fit and of packing together, as a share of the diagonal. */
  readonly error: number;
}

/** @param budget  in 1000 bytes */
export async function fitWithin(
  request: Checked<typeof FIT>,
  budget: number,
  opened: OpenedForFit,
  job: Job,
): Promise<FitReport> {
  const { options } = request;
  if (typeof options.bones === 'string')
    throw new UsageError('--budget chooses the number of bones; leave out --bones auto');
  const other = OTHERS.find((key) => options[key] !== undefined);
  if (other) throw new UsageError(`--budget chooses among whole fits; leave out --${WORDS[other] ?? other}`);
  if (options.method !== 'ssdr') throw new UsageError('--budget is for --method ssdr');
  let search: FitSearch | undefined;
  let error: SequenceErrors | undefined;
  const { figures, fitted } = await fitOpened(request, opened, job, {
    fit: async (sequence, run, loaded) => {
      search = new FitSearch(options, 1000 * budget, sequence, loaded, run);
      return (await search.run()).fitted;
    },
    encode: async (_, loaded) => {
      const { packed, vertexMap } = (search as FitSearch).best as Candidate;
      error = await errorOfPacked(packed, vertexMap, loaded);
      const form = await packedForm(loaded, job);
      if (form && form.bytes <= 1000 * budget) sayIfSmaller(form, smallerThan(form, error), job);
      return { bytes: packed.bytes, error, clips: loaded.split(fittedClip(search as FitSearch)) };
    },
  });
  const { best, tried } = search as unknown as FitSearch;
  const { displacements } = best as Candidate;
  const { bytes } = figures.output;
  const exceeded = bytes > 1000 * budget;
  if (exceeded) job.warn(`${budget} KB are not enough: the smallest file has ${kilobytes(bytes)}, most of it the mesh`);
  return {
    ...figures,
    method: options.method,
    restMoved: fitted.restMoved,
    tried,
    ...(displacements > 0 && { displacements }),
    limits: [{ of: 'bytes', asked: `${budget} KB`, reached: kilobytes(bytes), exceeded }],
  };
}

function fittedClip({ best }: FitSearch) {
  return (best as Candidate).fitted.clip;
}

/** Another form counts where it is nearer, however large within the budget. */
function smallerThan(form: PackedForm, { rmsePercent }: SequenceErrors) {
  return { bytes: form.bytes, error: rmsePercent / 100 };
}

class FitSearch {
  best: Candidate | undefined;
  tried = 0;
  readonly #options: Checked<typeof FIT>['options'];
  readonly #limit: number;
  readonly #sequence: MeshSequence;
  readonly #loaded: LoadedClips;
  readonly #run: Run;
  readonly #transport: Transport;
  readonly #ends: number;
  #rounded: { readonly fitted: Decomposition; readonly model: MeshAnimation } | undefined;

  constructor(
    options: Checked<typeof FIT>['options'],
    limit: number,
    sequence: MeshSequence,
    loaded: LoadedClips,
    run: Run,
  ) {
    this.#options = options;
    this.#limit = limit;
    this.#sequence = sequence;
    this.#loaded = loaded;
    this.#run = run;
    // A budget is one of the file as it lies.
    this.#transport = 'none';
    this.#ends = options.time === undefined ? Number.POSITIVE_INFINITY : performance.now() + 1000 * options.time;
  }

  async run(): Promise<Candidate> {
    const most = typeof this.#options.bones === 'number' ? this.#options.bones : MOST;
    const counts = [Math.min(FEWEST, most)];
    while (counts[counts.length - 1] < most) counts.push(Math.min(2 * counts[counts.length - 1], most));
    let at = 0;
    for (const [k, bones] of counts.entries()) {
      const before = this.best?.error;
      if (!(await this.#try(bones))) break;
      at = k;
      if (before !== undefined && (this.best as Candidate).error > WORTH * before) break;
    }
    // Too few bytes for these: fewer.
    for (let bones = counts[0]; bones > 1 && !this.#fits(this.best as Candidate); bones = Math.ceil(bones / 2)) {
      await this.#try(Math.ceil(bones / 2));
    }
    const around = [counts[at - 1], counts[at + 1]].filter((count) => count !== undefined);
    for (const other of around) await this.#try(Math.round(Math.sqrt(other * counts[at])));
    const { fitted } = this.best as Candidate;
    for (const rank of RANKS) if (!(await this.#pack(fitted, rank))) break;
    return this.best as Candidate;
  }

  /** Whether these bones are better than all before. */
  async #try(bones: number): Promise<boolean> {
    checkCancelled(this.#run);
    if (this.best && performance.now() > this.#ends) return false;
    const detail = `${bones} bones${this.best ? `, ${(100 * this.best.error).toPrecision(2)} % so far` : ''}`;
    const done = this.tried / (this.tried + 2);
    this.#run.onProgress?.({ stage: 'searching', fraction: done, detail });
    const { weights, smooth, islandPrice, restPose, start } = this.#options;
    const wanted = { method: 'ssdr', bones, weights, smooth, islandPrice, restPose, start } as const;
    const fitted = await decompose(this.#sequence, wanted, stageOf(this.#run, done, done));
    this.tried++;
    return this.#pack(fitted, 0);
  }

  /** Packs a fit into the limit, if that is possible, and keeps it where it is better. */
  async #pack(fitted: Decomposition, displacements: number): Promise<boolean> {
    checkCancelled(this.#run);
    const rounded = this.#inBytes(fitted);
    const { rig, clip } = rounded;
    const skin = displacements > 0 ? eigenSkin(rounded, { rank: displacements }, this.#run) : undefined;
    const clips = this.#loaded.split(clip);
    const written = await writeSkinnedGlb({
      rig,
      clips: atOwnStarts(clips, this.#loaded.starts),
      ...(skin && {
        morphs: { deltas: skin.deltas, weights: cutAmounts(skin.amounts, clips, skin.deltas.length) },
        extensions: [eigenSkinExtension(rig.bones.length, { poses: clip.transforms, amounts: skin.amounts })],
      }),
    });
    const own = (skin?.error ?? fitted.error).rmsePercent / 100;
    let better = false;
    const attempt = async (maxError: number): Promise<boolean> => {
      checkCancelled(this.#run);
      const packed = await compressGlb(written.bytes, { maxError, rounds: 1, transport: this.#transport });
      const found = {
        fitted,
        displacements,
        packed,
        vertexMap: written.vertexMap,
        error: Math.hypot(own, packed.error),
      };
      const fits = this.#fits(found);
      if (this.#isBetter(found)) {
        this.best = found;
        better = true;
      }
      return fits;
    };
    if (!(await attempt(COARSEST)) || (await attempt(FINEST))) return better;
    let [fine, coarse] = [FINEST, COARSEST];
    for (let k = 0; k < HALVINGS; k++) {
      const middle = Math.sqrt(fine * coarse);
      if (await attempt(middle)) coarse = middle;
      else fine = middle;
    }
    return better;
  }

  /** Once for a fit, however it is packed. */
  #inBytes(fitted: Decomposition): MeshAnimation {
    if (this.#rounded?.fitted !== fitted) {
      const { rig, clip } = inBytes(fitted.rig, fitted.clip, this.#sequence, this.#run);
      this.#rounded = { fitted, model: { sequence: this.#sequence, rig, clip } };
    }
    return this.#rounded.model;
  }

  #fits({ packed }: Pick<Candidate, 'packed'>): boolean {
    return packed.bytes.length <= this.#limit;
  }

  /** What fits by its error; else the smallest. */
  #isBetter({ packed, error }: Candidate): boolean {
    if (!this.best) return true;
    const [fits, held] = [this.#fits({ packed }), this.#fits(this.best)];
    if (fits !== held) return fits;
    return fits ? error < this.best.error : packed.bytes.length < this.best.packed.bytes.length;
  }
}
