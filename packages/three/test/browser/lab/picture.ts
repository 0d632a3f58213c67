/** Pictures of a scene as floats, the mesh that a picture is compared with, and a PNG of both for people to look at. */
import { TRANSFORM_SIZE } from '@pelt/model';
import { BufferAttribute, BufferGeometry, type Camera, FloatType, type Scene, Vector3, WebGLRenderTarget } from 'three';
import { RenderTarget, type WebGPURenderer } from 'three/webgpu';
import type { PeltMesh } from '../../../src/index.ts';
import { weldedNormals } from '../compare.ts';
import { type AnyRenderer, isClassic } from './renderers.ts';

/** @returns height × width × 4, bottom row first or last as the renderer has it */
export async function picture(
  renderer: AnyRenderer,
  scene: Scene,
  camera: Camera,
  width: number,
  height = width,
): Promise<Float32Array> {
  if (isClassic(renderer)) {
    const target = new WebGLRenderTarget(width, height, { type: FloatType });
    const pixels = new Float32Array(4 * width * height);
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
    renderer.setRenderTarget(null);
    target.dispose();
    return pixels;
  }
  const target = new RenderTarget(width, height, { type: FloatType });
  renderer.setRenderTarget(target);
  renderer.render(scene, camera);
  const pixels = await (renderer as WebGPURenderer).readRenderTargetPixelsAsync(target, 0, 0, width, height);
  renderer.setRenderTarget(null);
  target.dispose();
  return pixels as Float32Array;
}

/**
 * The mesh as the CPU poses it, in its own space.
 *
 * @param normals  of the posed surface, or those of the rest pose turned with the bones
 */
export function bakedGeometry(mesh: PeltMesh, normals: 'exact' | 'blended'): BufferGeometry {
  const n = mesh.geometry.getAttribute('position').count;
  const positions = new Float32Array(3 * n);
  const point = new Vector3();
  mesh.skeleton.update();
  for (let i = 0; i < n; i++) mesh.getVertexPosition(i, point).toArray(positions, 3 * i);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(mesh.geometry.index);
  const rest = { name: '', positions: mesh.shape.rest, triangles: mesh.shape.triangles };
  const found =
    normals === 'exact'
      ? Float32Array.from(weldedNormals(rest, positions))
      : blendedNormals(mesh, new Float32Array(3 * n));
  geometry.setAttribute('normal', new BufferAttribute(found, 3));
  return geometry;
}

function blendedNormals({ geometry, model, skeleton }: PeltMesh, out: Float32Array): Float32Array {
  const normal = geometry.getAttribute('normal');
  const { slots, bones, weights } = model.skin;
  for (let i = 0; i < normal.count; i++) {
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      for (let r = 0; r < 3; r++) {
        const row = TRANSFORM_SIZE * bones[s] + 4 * r;
        const [x, y, z] = skeleton.palette.subarray(row, row + 3);
        out[3 * i + r] += weights[s] * (x * normal.getX(i) + y * normal.getY(i) + z * normal.getZ(i));
      }
    }
  }
  return out;
}

/** Square pictures beside each other, as a data URL; `upwards`: their first row is the lowest. */
export function pngOf(pictures: readonly Float32Array[], size: number, upwards: boolean): string {
  const canvas = document.createElement('canvas');
  canvas.width = size * pictures.length;
  canvas.height = size;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  pictures.forEach((pixels, k) => {
    const image = new ImageData(size, size);
    for (let at = 0; at < size * size; at++) {
      const row = Math.floor(at / size);
      const from = 4 * (upwards ? (size - 1 - row) * size + (at % size) : at);
      for (let c = 0; c < 3; c++) image.data[4 * at + c] = 255 * Math.abs(pixels[from + c]) ** (1 / 2.2);
      image.data[4 * at + 3] = 255;
    }
    context.putImageData(image, k * size, 0);
  });
  return canvas.toDataURL('image/png');
}
