/**
 * A USD file whose meshes have samples of their points: frames that are read when they are asked for, each by its range of
 * a crate, so that a cache may be larger than memory.
 */
import { type Mesh, resolveOptions, uniformTimes } from '@pelt/model';
import { type ByteSource, sourceOfBytes } from '../byte-source.ts';
import { FrameGather, type FrameSource, requireFrameRequest } from '../frame-source.ts';
import { FrameBaker } from '../gltf/bake-sequence.ts';
import { labelled } from '../gltf/open-document.ts';
import { readGltf } from '../gltf/read-gltf.ts';
import type { GltfAsset } from '../gltf/scene.ts';
import { fileLabel, stemOf } from '../read-options.ts';
import { unionOfTimes } from '../scene/linear-keys.ts';
import { WarningTally } from '../warning-tally.ts';
import type { StagePrim } from './read/compose.ts';
import { openUsd } from './read/open-usd.ts';
import { readUsdScene, type UsdScene } from './read/read-usd.ts';
import { isNumbers } from './read/usd-layer.ts';
import { valueAt } from './read/usd-xform.ts';
import { USD_DEFAULTS, type UsdOptions } from './usd-to-glb.ts';

export interface UsdAnimationOptions extends UsdOptions {
  /** Frames per second; absent: a frame at every sample. */
  readonly fps: number | undefined;
}

export const USD_ANIMATION_DEFAULTS: UsdAnimationOptions = { ...USD_DEFAULTS, fps: undefined };

/**
 * Whether a USD file has a mesh with samples of its points over time, which `openUsdAnimation` reads.
 *
 * @param file  its bytes, or a source of them
 * @example
 * {@includeCode ../../examples/usd.ts}
 */
export function hasUsdFrames(file: Uint8Array | ByteSource, options?: Partial<UsdOptions>): boolean {
  const { name, resolve } = resolveOptions('hasUsdFrames', USD_DEFAULTS, options);
  const label = fileLabel('USD', name);
  try {
    const { stage } = openUsd(sourceOf(file), resolve, new WarningTally(label, undefined));
    const moves = (prim: StagePrim): boolean => hasFrames(prim) || prim.children.some(moves);
    return stage.prims.some(moves);
  } catch (error) {
    throw labelled(label, error);
  }
}

/**
 * Opens a USD file with samples of points as an animation whose frames are read one by one.
 *
 * @param file  its bytes, or a source of them, from which only what a frame needs is read if it is a crate
 * @example
 * {@includeCode ../../examples/usd.ts}
 */
export async function openUsdAnimation(
  file: Uint8Array | ByteSource,
  options?: Partial<UsdAnimationOptions>,
): Promise<FrameSource> {
  const { name, resolve, fps, onWarning } = resolveOptions('openUsdAnimation', USD_ANIMATION_DEFAULTS, options);
  const label = fileLabel('USD', name);
  const warnings = new WarningTally(label, onWarning);
  try {
    // Loaded only here: a file without samples of points, or of another format, needs no writer of glTF.
    const { sceneToGlb } = await import('../scene/scene-to-glb.ts');
    const scene = readUsdScene(openUsd(sourceOf(file), resolve, warnings), stemOf(name), label, warnings);
    const asset = await readGltf(await sceneToGlb(scene.scene, warnings), { name });
    return new UsdAnimation(label, scene, asset, fps);
  } catch (error) {
    throw labelled(label, error);
  } finally {
    warnings.flush();
  }
}

function sourceOf(file: Uint8Array | ByteSource): ByteSource {
  return file instanceof Uint8Array ? sourceOfBytes(file) : file;
}

function hasFrames({ type, properties }: StagePrim): boolean {
  return type === 'Mesh' && (properties.get('points')?.samples?.times.length ?? 0) > 1;
}

interface SampledMesh {
  readonly prim: StagePrim;
  readonly node: number;
  /** Point of each vertex. */
  readonly vertexMap: Uint32Array;
  /** In the merged mesh. */
  readonly first: number;
}

class UsdAnimation implements FrameSource {
  readonly name: string;
  readonly label: string;
  readonly rest: Mesh;
  readonly times: Float64Array;
  readonly start: number;
  readonly #nodes: UsdScene['nodes'];
  readonly #meshes: readonly SampledMesh[];
  /** What moves beside the meshes with samples. */
  readonly #others: ((second: number, out: Float32Array) => void) | undefined;
  readonly #gather = new FrameGather();

  constructor(label: string, { scene, nodes, meshes }: UsdScene, asset: GltfAsset, fps: number | undefined) {
    this.label = label;
    this.name = scene.name;
    this.rest = asset.mesh;
    this.#nodes = nodes;
    this.#meshes = meshes.flatMap(({ prim, node, vertexMap }) => {
      const first = Math.min(
        ...asset.scene.ranges.filter((range) => range.node === node).map((range) => range.firstVertex),
      );
      return hasFrames(prim) && Number.isFinite(first) ? [{ prim, node, vertexMap, first }] : [];
    });
    const codes = unionOfTimes([
      ...this.#meshes.map(({ prim }) => prim.properties.get('points')?.samples?.times ?? []),
      ...nodes.nodes.map(({ xform }) => xform?.times ?? []),
    ]);
    const own = codes.map((code) => code / nodes.rate);
    const seconds = fps === undefined ? own : resampled(own, fps);
    this.start = seconds[0] ?? 0;
    this.times = seconds.map((second) => second - this.start);
    const [clip] = asset.animations;
    const baker = clip && new FrameBaker(asset);
    this.#others = baker && ((second, out) => baker.bake(clip, second, out));
  }

  readFrame(t: number, out: Float32Array, vertices?: ArrayLike<number>): void {
    const n = this.rest.positions.length / 3;
    requireFrameRequest(t, this.times.length, n, out, vertices);
    this.#gather.read(n, vertices, out, (whole) => this.#read(t, whole));
  }

  #read(t: number, out: Float32Array): void {
    if (this.#others) this.#others(this.start + this.times[t], out);
    else out.set(this.rest.positions);
    const code = (this.start + this.times[t]) * this.#nodes.rate;
    for (const { prim, node, vertexMap, first } of this.#meshes) {
      const property = prim.properties.get('points');
      const points = property && valueAt(property, code);
      if (!isNumbers(points)) continue;
      const world = this.#nodes.worldAt(node, code);
      vertexMap.forEach((i, v) => {
        const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
        for (let r = 0; r < 3; r++) {
          out[3 * (first + v) + r] = world[4 * r] * x + world[4 * r + 1] * y + world[4 * r + 2] * z + world[4 * r + 3];
        }
      });
    }
  }
}

function resampled(seconds: Float64Array, fps: number): Float64Array {
  const span = seconds[seconds.length - 1] - seconds[0];
  const count = Math.floor(span * fps + 1e-6) + 1;
  return uniformTimes(count, fps).map((second) => second + seconds[0]);
}
