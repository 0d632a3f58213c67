import { resolveOptions, UsageError } from '@pelt/model';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';
import { WarningTally } from '../../warning-tally.ts';
import { type GltfDocument, labelled, openDocument } from '../open-document.ts';
import { readAsset } from '../read-gltf.ts';
import type { ResolveFile } from '../resources.ts';
import type { GltfAsset } from '../scene.ts';
import { type FilePrimitive, filePrimitives } from './file-primitives.ts';
import { PackPlanner } from './pack-plan.ts';
import { surfaceError } from './surface-error.ts';
import { type SurfaceModel, surfaceModel } from './surface-model.ts';
import { type VertexMaps, vertexMaps } from './vertex-maps.ts';
import { writeDocument } from './write-document.ts';

/**
 * A glTF file made small: arrays that nothing uses are left out, every primitive has vertices of its own in the order
 * that packs best, numbers have as few bits and curves as few keys as an error of the surface allows
 * (KHR_mesh_quantization), everything goes through Meshopt's codecs (EXT_meshopt_compression). Nodes, names, materials,
 * cameras, lights and extras stay.
 */
export interface CompressOptions {
  /** Root mean square distance of the surface over all clips, as a share of the model's diagonal. */
  readonly maxError: number;
  /** Bits of a normal's component, 4 to 16. */
  readonly normalBits: number;
  /** Bits of UVs behind the point, 4 to 16. */
  readonly uvBits: number;
  /** Bytes of files that the glTF names. */
  readonly resolve: ResolveFile | undefined;
}

/**
 * A model as high as a screen of 2160 pixels is off by a tenth of a pixel; a texture of 4096 pixels by half of one.
 */
export const COMPRESS_DEFAULTS: CompressOptions = {
  maxError: 0.1 / 2160,
  normalBits: 8,
  uvBits: 12,
  resolve: undefined,
};

export interface CompressedGlb extends VertexMaps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Root mean square distance to the input at sampled frames, as a share of the diagonal; by reading the bytes back. */
  readonly error: number;
}

/** Files that are written to come near the error; the model of errors is rarely off by more than a tenth. */
const MOST_ROUNDS = 4;
/** Near enough to the error that was asked for. */
const NEAR = 0.93;

/**
 * Compresses a glTF file with meshopt (EXT_meshopt_compression), within an error of its surface.
 *
 * @param bytes  of a GLB or glTF
 * @example
 * {@includeCode ../../../examples/skinned.ts}
 */
export async function compressGlb(bytes: Uint8Array, options?: Partial<CompressOptions>): Promise<CompressedGlb> {
  const resolved = resolveOptions('compressGlb', COMPRESS_DEFAULTS, options);
  requireOptions(resolved);
  const warnings = new WarningTally('compressGlb', undefined);
  try {
    const document = await openDocument(bytes, resolved.resolve, warnings);
    const { MeshoptEncoder: encoder } = await import('meshoptimizer/encoder');
    await encoder.ready;
    return await new Compression(document, await readAsset(document, '', warnings), encoder, resolved).run();
  } catch (error) {
    throw labelled('compressGlb', error);
  }
}

class Compression {
  readonly #document: GltfDocument;
  readonly #asset: GltfAsset;
  readonly #encoder: typeof MeshoptEncoder;
  readonly #options: CompressOptions;
  readonly #model: SurfaceModel;
  readonly #primitives: FilePrimitive[];
  readonly #planner: PackPlanner;

  constructor(document: GltfDocument, asset: GltfAsset, encoder: typeof MeshoptEncoder, options: CompressOptions) {
    this.#document = document;
    this.#asset = asset;
    this.#encoder = encoder;
    this.#options = options;
    this.#model = surfaceModel(asset);
    this.#primitives = filePrimitives(document, asset.scene.ranges);
    this.#planner = new PackPlanner(asset, this.#primitives, this.#model);
  }

  /** The plan's error is an estimate: it is corrected by what the file turns out to have. */
  async run(): Promise<CompressedGlb> {
    const wanted = this.#options.maxError;
    let planned = wanted;
    let best: CompressedGlb | undefined;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const file = await this.#write(planned * this.#model.size);
      const fits = file.error <= wanted;
      const better =
        !best || (fits ? best.error > wanted || file.bytes.length < best.bytes.length : file.error < best.error);
      if (better) best = file;
      if (fits && file.error >= NEAR * wanted) break;
      const ratio = file.error > 0 ? wanted / file.error : 2;
      planned *= Math.min(Math.max(ratio * 0.97, 0.1), 2);
    }
    return best as CompressedGlb;
  }

  async #write(distance: number): Promise<CompressedGlb> {
    const plan = this.#planner.plan(distance * distance);
    const reach = this.#reach();
    const { normalBits, uvBits } = this.#options;
    const { bytes, primitives } = await writeDocument(this.#document, this.#asset, this.#primitives, {
      encoder: this.#encoder,
      plan,
      precision: { normalBits, uvBits },
      // A tenth of the error, which in squares is a hundredth.
      bindSteps: [(0.1 * distance) / (this.#model.size || 1), 0.1 * distance * reach],
    });
    const maps = vertexMaps(this.#asset.scene.ranges, primitives);
    const warnings = new WarningTally('compressGlb', undefined);
    const back = await readAsset(await openDocument(bytes, undefined, warnings), '', warnings);
    return { bytes, ...maps, error: surfaceError(this.#asset, back, maps.places) / this.#model.size };
  }

  /** Joint space over the world's, at least. */
  #reach(): number {
    return this.#asset.scene.ranges.reduce((least, { scale }) => Math.min(least, 1 / scale), 1);
  }
}

const LIMITS = { normalBits: [4, 16], uvBits: [4, 16] } as const;

function requireOptions(options: CompressOptions): void {
  for (const [name, [least, most]] of Object.entries(LIMITS)) {
    const value = options[name as keyof typeof LIMITS];
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new UsageError(`compressGlb: ${name} is ${value}; it must be a whole number from ${least} to ${most}`);
    }
  }
  const { maxError } = options;
  if (!(maxError > 0 && maxError < 1)) {
    throw new UsageError(
      `compressGlb: maxError is ${maxError}; it must be a share of the model's size, such as 0.0001`,
    );
  }
}
