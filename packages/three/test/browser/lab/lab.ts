/** What the tests ask of the page: every function takes and returns plain data. */
import type { Renderer } from 'three/webgpu';
import { type EnhanceOptions, enhance, updateSkins } from '../../../src/webgpu/index.ts';
import { capture } from './capture.ts';
import { isClassic, type RendererKind, rendererOf } from './renderers.ts';
import { play, stage } from './stage.ts';

export interface PlayRequest {
  readonly file: string;
  readonly renderer: RendererKind;
  readonly time: number;
  /** Shaders of our own; absent: three's. */
  readonly enhance?: Partial<EnhanceOptions>;
  readonly all?: boolean;
}

export interface Played {
  /** Base64 of n × 3 float32 */
  readonly positions: string;
  readonly normals: string;
  /** What the CPU side of the mesh says, for the same vertices. */
  readonly raycastPositions: string;
  readonly box: readonly number[];
  readonly kind: string;
}

async function playFile(request: PlayRequest): Promise<Played> {
  const renderer = await rendererOf(request.renderer);
  const set = await stage(request.file, { all: request.all ?? false });
  const { scene, mesh } = set;
  if (request.enhance) enhance(scene, renderer as Renderer, request.enhance);
  play(set, request.time);
  if (!isClassic(renderer)) updateSkins(scene, renderer as Renderer);
  const { positions, normals } = await capture(renderer, scene, mesh);
  const n = positions.length / 3;
  const points = new Float32Array(3 * n);
  const point = mesh.position.clone();
  mesh.skeleton.update();
  for (let i = 0; i < n; i++) mesh.getVertexPosition(i, point).toArray(points, 3 * i);
  const box = mesh.boundingBox;
  const result = {
    positions: base64(positions),
    normals: base64(normals),
    raycastPositions: base64(points),
    box: box ? [...box.min.toArray(), ...box.max.toArray()] : [],
    kind: mesh.model.kind,
  };
  mesh.dispose?.();
  mesh.geometry.dispose();
  return result;
}

function base64(values: Float32Array): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}

export const lab = { playFile };
Object.assign(globalThis, { lab });
