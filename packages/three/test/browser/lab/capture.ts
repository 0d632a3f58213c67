/**
 * What the vertex stage makes of every vertex: the mesh is drawn as points, vertex i on pixel i of a float target, its
 * colour the position or the normal in the mesh's own space, its alpha i + 1.
 */
import {
  type BufferGeometry,
  FloatType,
  type Mesh,
  NearestFilter,
  PerspectiveCamera,
  RGBAFormat,
  type Scene,
  WebGLRenderTarget,
} from 'three';
import { Fn, float, instanceIndex, int, normalLocal, positionLocal, varying, vec4, vertexIndex } from 'three/tsl';
import { type Node, NodeMaterial, RenderTarget, type WebGPURenderer } from 'three/webgpu';
import { type AnyRenderer, isClassic } from './renderers.ts';

const WIDTH = 1024;

export interface Captured {
  /** n × 3 */
  readonly positions: Float32Array;
  /** n × 3, unit length */
  readonly normals: Float32Array;
}

/**
 * @param scene     has the mesh, under whatever parents
 * @param instance  the one to look at, of many
 */
export async function capture(renderer: AnyRenderer, scene: Scene, mesh: Mesh, instance?: number): Promise<Captured> {
  const n = mesh.geometry.getAttribute('position').count;
  const height = Math.ceil(n / WIDTH);
  const options = { type: FloatType, format: RGBAFormat, minFilter: NearestFilter, magFilter: NearestFilter } as const;
  const { material, geometry, frustumCulled } = mesh;
  const points: BufferGeometry = geometry.clone().setIndex(null);
  const hidden = hideOthers(scene, mesh);
  const shapeShift = mesh as unknown as { isMesh: boolean; isPoints: boolean };
  mesh.geometry = points;
  mesh.frustumCulled = false;
  shapeShift.isPoints = true;
  if (isClassic(renderer)) shapeShift.isMesh = false;
  const camera = new PerspectiveCamera();
  const read = async (what: 'position' | 'normal'): Promise<Float32Array> => {
    if (isClassic(renderer)) {
      const target = new WebGLRenderTarget(WIDTH, height, options);
      const restore = wrapClassic(mesh, what, height);
      renderer.setRenderTarget(target);
      renderer.setClearColor(0, 0);
      renderer.clear();
      renderer.render(scene, camera);
      const pixels = new Float32Array(4 * WIDTH * height);
      renderer.readRenderTargetPixels(target, 0, 0, WIDTH, height, pixels);
      renderer.setRenderTarget(null);
      restore();
      target.dispose();
      return pixels;
    }
    const target = new RenderTarget(WIDTH, height, options);
    mesh.material = nodeCapture(material as NodeMaterial, what, height, instance);
    renderer.setRenderTarget(target);
    renderer.setClearColor(0, 0);
    renderer.render(scene, camera);
    const pixels = await (renderer as WebGPURenderer).readRenderTargetPixelsAsync(target, 0, 0, WIDTH, height);
    renderer.setRenderTarget(null);
    target.dispose();
    return pixels as Float32Array;
  };
  const positions = unpack(await read('position'), n);
  const normals = unit(unpack(await read('normal'), n));
  shapeShift.isPoints = false;
  shapeShift.isMesh = true;
  Object.assign(mesh, { material, geometry, frustumCulled });
  for (const other of hidden) other.visible = true;
  points.dispose();
  return { positions, normals };
}

function hideOthers(scene: Scene, mesh: Mesh): { visible: boolean }[] {
  const hidden: Mesh[] = [];
  scene.traverse((child) => {
    if ((child as Mesh).isMesh && child !== mesh && child.visible) hidden.push(child as Mesh);
  });
  for (const other of hidden) other.visible = false;
  return hidden;
}

function nodeCapture(
  source: NodeMaterial,
  what: 'position' | 'normal',
  height: number,
  instance: number | undefined,
): NodeMaterial {
  const material = new NodeMaterial();
  material.positionNode = source.positionNode ?? null;
  material.vertexNode = Fn(() => {
    const i = int(vertexIndex).toVar();
    const y = i.div(int(WIDTH)).toVar();
    const x = i.sub(y.mul(int(WIDTH)));
    const ndc = (k: Node<'int'>, size: number) =>
      float(k)
        .add(0.5)
        .mul(2 / size)
        .sub(1);
    const pixel = vec4(ndc(x, WIDTH), ndc(y, height), 0.5, 1);
    if (instance === undefined) return pixel;
    return int(instanceIndex)
      .equal(int(instance))
      .select(pixel, vec4(9, 9, 9, 1));
  })();
  const shown = what === 'position' ? positionLocal : normalLocal;
  material.fragmentNode = vec4(varying(shown), varying(float(vertexIndex).add(1)));
  material.depthTest = false;
  return material;
}

function wrapClassic(mesh: Mesh, what: 'position' | 'normal', height: number): () => void {
  const material = mesh.material as import('three').Material;
  const { onBeforeCompile, customProgramCacheKey } = material;
  const before = customProgramCacheKey.call(material);
  material.onBeforeCompile = (shader, renderer) => {
    onBeforeCompile.call(material, shader, renderer);
    shader.vertexShader = shader.vertexShader.replace('void main() {', 'out vec4 vCaptured;\nvoid main() {').replace(
      '#include <project_vertex>',
      `#include <project_vertex>
        vCaptured = vec4( ${what === 'position' ? 'transformed' : 'objectNormal'}, float( gl_VertexID + 1 ) );
        gl_PointSize = 1.0;
        gl_Position = vec4( ( float( gl_VertexID % ${WIDTH} ) + 0.5 ) * ${2 / WIDTH} - 1.0,
          ( float( gl_VertexID / ${WIDTH} ) + 0.5 ) * 2.0 / ${height}.0 - 1.0, 0.5, 1.0 );`,
    );
    shader.fragmentShader = shader.fragmentShader
      .replace('void main() {', 'in vec4 vCaptured;\nvoid main() {')
      .replace(/}\s*$/, 'gl_FragColor = vCaptured;\n}');
  };
  material.customProgramCacheKey = () => `${before} capture ${what} ${height}`;
  material.needsUpdate = true;
  return () => {
    Object.assign(material, { onBeforeCompile, customProgramCacheKey });
    material.needsUpdate = true;
  };
}

function unpack(pixels: Float32Array, n: number): Float32Array {
  const out = new Float32Array(3 * n).fill(Number.NaN);
  for (let at = 0; at < pixels.length; at += 4) {
    const i = Math.round(pixels[at + 3]) - 1;
    if (i >= 0 && i < n) out.set(pixels.subarray(at, at + 3), 3 * i);
  }
  return out;
}

function unit(vectors: Float32Array): Float32Array {
  for (let k = 0; k < vectors.length; k += 3) {
    const length = Math.hypot(vectors[k], vectors[k + 1], vectors[k + 2]);
    for (let c = 0; c < 3; c++) vectors[k + c] /= length;
  }
  return vectors;
}
