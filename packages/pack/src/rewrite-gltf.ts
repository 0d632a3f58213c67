import {
  type GltfAsset,
  type GltfDocument,
  labelled,
  openDocument,
  type ResolveFile,
  readAsset,
  WarningTally,
} from '@pelt/io/internal';
import { resolveOptions, UsageError } from '@pelt/model';
import { Codec, TRANSPORTS, type Transport } from './codec.ts';
import { type EditedAsset, editAsset } from './edit-asset.ts';
import { filePrimitives } from './file-primitives.ts';
import type { GltfEdit } from './gltf-edit.ts';
import { type PackPlan, PackPlanner } from './pack-plan.ts';
import { simplifyPrimitives } from './simplify-primitives.ts';
import { OrderFinder } from './smallest-order.ts';
import { SurfaceComparison } from './surface-error.ts';
import { type SurfaceModel, surfaceModel } from './surface-model.ts';
import { texelBits } from './texel-bits.ts';
import { type VertexMaps, vertexMaps } from './vertex-maps.ts';
import { writeDocument } from './write-document.ts';

/**
 * A glTF file written again: its nodes, names, materials, images, cameras, lights and extras as they were, with other
 * weights or shorter clips where that is wanted, and in fewer bytes.
 *
 * Compressed, arrays that nothing uses are left out, every primitive has vertices of its own in the order that packs best,
 * numbers have as few bits and curves as few keys as an error of the surface allows (KHR_mesh_quantization), and
 * everything goes through Meshopt's codecs (EXT_meshopt_compression).
 */
export interface RewriteOptions {
  /** `meshopt` makes a small file that needs a reader with the Meshopt decoder; vertices change their order. */
  readonly compress: 'meshopt' | undefined;
  /** What compresses the file on its way: the fewest bytes are sought after that, not before. */
  readonly transport: Transport;
  /**
   * Root mean square distance of the surface that this may cost in each clip, as a share of the model's diagonal; absent:
   * none for a plain file, and what cannot be seen for a compressed one.
   */
  readonly maxError: number | undefined;
  /** P × m × 12: transforms of the bones, from the rest pose, in poses that something else than a clip plays. */
  readonly poses: Float64Array | undefined;
  /** Files that are written to come near the error, which is estimated before. */
  readonly rounds: number;
  /** Bits of a normal's component, 4 to 16. */
  readonly normalBits: number;
  /** Most bits of UVs behind the point, 4 to 16; fewer where the images have fewer texels. */
  readonly uvBits: number;
  /** Bytes of files that the glTF names. */
  readonly resolve: ResolveFile | undefined;
}

/** UVs to half a texel of images of 4096; normals to a quarter of a degree, which is a step of shading in 8 bits. */
export const REWRITE_DEFAULTS: RewriteOptions = {
  compress: undefined,
  transport: 'brotli',
  maxError: undefined,
  poses: undefined,
  rounds: 4,
  normalBits: 8,
  uvBits: 12,
  resolve: undefined,
};

/** A model as high as a screen of 2160 pixels is off by a tenth of a pixel. */
export const UNSEEN_ERROR = 0.1 / 2160;

export interface RewrittenGltf extends VertexMaps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Root mean square distance to the edited input at sampled frames, as a share of the diagonal: of the bytes, read back. */
  readonly error: number;
}

/** Near enough to the error that was asked for. */
const NEAR = 0.93;

/**
 * Writes a glTF file again, edited and compressed, with everything else as it was.
 *
 * @param input    bytes of a GLB or glTF, and what shall be different
 * @param options  compression, and the error that it may cost
 * @example
 * {@includeCode ../examples/packed.ts}
 */
export async function rewriteGltf(
  input: { readonly bytes: Uint8Array } & GltfEdit,
  options?: Partial<RewriteOptions>,
): Promise<RewrittenGltf> {
  const resolved = resolveOptions('rewriteGltf', REWRITE_DEFAULTS, options);
  requireOptions(resolved);
  const warnings = new WarningTally('rewriteGltf', undefined);
  try {
    const document = await openDocument(input.bytes, resolved.resolve, warnings);
    const asset = await readAsset(document, '', warnings);
    const edited = editAsset(asset, filePrimitives(document, asset.scene.ranges), input);
    const codec = resolved.compress && (await Codec.load(resolved.transport));
    const model = surfaceModel(edited.asset, resolved.poses);
    const shown = input.triangles === undefined ? edited : await simplifiedAsset(edited, model, input.triangles);
    return await new Rewriting(document, shown, model, codec, resolved).run();
  } catch (error) {
    throw labelled('rewriteGltf', error);
  }
}

async function simplifiedAsset(edited: EditedAsset, model: SurfaceModel, share: number): Promise<EditedAsset> {
  if (!(share > 0 && share < 1)) {
    throw new UsageError(`rewriteGltf: triangles is ${share}; it must be a share of the triangles, such as 0.5`);
  }
  return { ...edited, primitives: await simplifyPrimitives(edited.primitives, edited.asset, model, share) };
}

/** Options of `compressGlb`. */
export type CompressOptions = Omit<RewriteOptions, 'compress'>;

/**
 * Compresses a glTF file with meshopt (EXT_meshopt_compression), within an error of its surface.
 *
 * @param bytes  of a GLB or glTF
 * @example
 * {@includeCode ../examples/packed.ts}
 */
export function compressGlb(bytes: Uint8Array, options?: Partial<CompressOptions>): Promise<RewrittenGltf> {
  return rewriteGltf({ bytes }, { ...options, compress: 'meshopt' });
}

/** A file, and the errors of its clips. */
interface Attempt {
  readonly file: RewrittenGltf;
  readonly clips: readonly number[];
  readonly worst: number;
}

class Rewriting {
  readonly #document: GltfDocument;
  readonly #asset: GltfAsset;
  readonly #edited: EditedAsset;
  readonly #codec: Codec | undefined;
  readonly #options: RewriteOptions;
  readonly #model: SurfaceModel;
  readonly #comparison: SurfaceComparison;
  readonly #orders: OrderFinder | undefined;
  readonly #planner: PackPlanner | undefined;

  constructor(
    document: GltfDocument,
    edited: EditedAsset,
    model: SurfaceModel,
    codec: Codec | undefined,
    options: RewriteOptions,
  ) {
    this.#document = document;
    this.#asset = edited.asset;
    this.#edited = edited;
    this.#codec = codec;
    this.#options = options;
    this.#model = model;
    this.#comparison = new SurfaceComparison(this.#asset, options.poses);
    this.#orders = codec && new OrderFinder(codec);
    const planned = codec !== undefined || options.maxError !== undefined;
    this.#planner = planned ? new PackPlanner(this.#asset, edited.primitives, this.#model, codec) : undefined;
  }

  /** The plan's errors are estimates: they are corrected by what the file turns out to have. */
  async run(): Promise<RewrittenGltf> {
    const wanted = this.#options.maxError ?? UNSEEN_ERROR;
    let planned = new Array<number>(Math.max(this.#asset.animations.length, 1)).fill(wanted);
    let best = await this.#write(planned);
    let last = best;
    for (let round = 1; this.#planner && round < this.#options.rounds; round++) {
      if (last.worst <= wanted && last.clips.every((error) => error >= NEAR * wanted)) break;
      planned = planned.map((error, clip) => {
        const ratio = last.clips[clip] > 0 ? (NEAR + 0.04) * (wanted / last.clips[clip]) : 2;
        return error * Math.min(Math.max(ratio, 0.1), 2);
      });
      last = await this.#write(planned);
      const better =
        last.worst <= wanted
          ? best.worst > wanted || this.#sizeOf(last) < this.#sizeOf(best)
          : best.worst > wanted && last.worst < best.worst;
      if (better) best = last;
    }
    return best.file;
  }

  #sizeOf({ file }: Attempt): number {
    return this.#codec?.sizeOf(file.bytes) ?? file.bytes.length;
  }

  /** @param errors  of each clip */
  async #write(errors: readonly number[]): Promise<Attempt> {
    const { size } = this.#model;
    const plan = this.#planner?.plan(errors.map((error) => (error * size) ** 2));
    const { normalBits, uvBits } = this.#options;
    const precision = { normalBits, uvBits: texelBits(this.#asset.mesh, uvBits) };
    const { bytes, primitives } = await writeDocument(this.#document, this.#edited, {
      plan,
      packing: this.#codec && {
        codec: this.#codec,
        plan: plan as PackPlan,
        precision,
        orders: this.#orders as OrderFinder,
        // A tenth of the error, which in squares is a hundredth.
        bindError: 0.1 * Math.min(...errors),
        size,
      },
    });
    const maps = vertexMaps(this.#asset.scene.ranges, primitives);
    if (!plan) return { file: { bytes, ...maps, error: 0 }, clips: [], worst: 0 };
    const warnings = new WarningTally('rewriteGltf', undefined);
    const back = await readAsset(await openDocument(bytes, undefined, warnings), '', warnings);
    const { rms, clips } = this.#comparison.of(back, maps.places);
    const relative = clips.map((error) => error / size);
    return { file: { bytes, ...maps, error: rms / size }, clips: relative, worst: Math.max(...relative) };
  }
}

const LIMITS = { normalBits: [4, 16], uvBits: [4, 16], rounds: [1, 16] } as const;

function requireOptions(options: RewriteOptions): void {
  for (const [name, [least, most]] of Object.entries(LIMITS)) {
    const value = options[name as keyof typeof LIMITS];
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new UsageError(`rewriteGltf: ${name} is ${value}; it must be a whole number from ${least} to ${most}`);
    }
  }
  const { maxError, compress, transport } = options;
  if (maxError !== undefined && !(maxError > 0 && maxError < 1)) {
    throw new UsageError(`rewriteGltf: maxError is ${maxError}; it must be a share of the size, such as 0.0001`);
  }
  if (!TRANSPORTS.includes(transport)) {
    throw new UsageError(`rewriteGltf: unknown transport '${transport}'; use ${TRANSPORTS.join(', ')}`);
  }
  if (compress !== undefined && compress !== 'meshopt') {
    throw new UsageError(`rewriteGltf: unknown compression '${compress}'; use meshopt`);
  }
}
