/**
 * A program over the texels of a float target: what every vertex or bone needs is computed once per frame, in the
 * fragment stage, which both back ends of WebGPURenderer have. Runs before the frame is rendered, never inside of it.
 */
import { FloatType, NearestFilter, NoBlending, RGBAFormat } from 'three';
import { Fn, int, ivec2, screenCoordinate } from 'three/tsl';
import { type Node, NodeMaterial, QuadMesh, type Renderer, RenderTarget } from 'three/webgpu';

/** Texels in a row of a target that is indexed by number. */
const ROW_BITS = 10;

export function floatTarget(width: number, height: number): RenderTarget {
  return new RenderTarget(width, height, {
    type: FloatType,
    format: RGBAFormat,
    minFilter: NearestFilter,
    magFilter: NearestFilter,
    depthBuffer: false,
    generateMipmaps: false,
  });
}

/** Of a texture with a texel for each of `count` things. */
export function listSize(count: number): { readonly width: number; readonly height: number } {
  const row = 1 << ROW_BITS;
  return { width: Math.min(count, row), height: Math.ceil(count / row) };
}

/** A target with a texel for each of `count` things. */
export function listTarget(count: number): RenderTarget {
  const { width, height } = listSize(count);
  return floatTarget(width, height);
}

/** Where thing i is in such a target. */
export function listTexel(i: Node<'int'>, count: number): Node<'ivec2'> {
  const row = 1 << ROW_BITS;
  if (count <= row) return ivec2(i, int(0));
  return ivec2(i.bitAnd(int(row - 1)), i.shiftRight(int(ROW_BITS)));
}

export class TexelPass {
  readonly #quad: QuadMesh;
  readonly #material = new NodeMaterial();

  /** @param program  the value of the texel at integer coordinates */
  constructor(name: string, program: (x: Node<'int'>, y: Node<'int'>) => Node<'vec4'>) {
    const material = this.#material;
    material.name = name;
    material.fragmentNode = Fn(() => {
      const at = screenCoordinate.toVar();
      return program(int(at.x).toVar(), int(at.y).toVar());
    })();
    material.depthTest = false;
    material.depthWrite = false;
    material.blending = NoBlending;
    this.#quad = new QuadMesh(material);
    this.#quad.name = name;
    this.#quad.frustumCulled = false;
  }

  /** The state of the renderer is the caller's to keep: see `withCleanState`. */
  render(renderer: Renderer, target: RenderTarget): void {
    renderer.setRenderTarget(target);
    this.#quad.render(renderer);
  }

  dispose(): void {
    this.#material.dispose();
  }
}

/** A program over the things of a list. */
export function listPass(name: string, program: (i: Node<'int'>) => Node<'vec4'>): TexelPass {
  return new TexelPass(name, (x, y) => program(y.shiftLeft(int(ROW_BITS)).add(x).toVar()));
}

/** Runs passes with the renderer's state set aside, so that targets, XR and clearing are as before. */
export function withCleanState(renderer: Renderer, run: () => void): void {
  const target = renderer.getRenderTarget();
  const [face, level] = [renderer.getActiveCubeFace(), renderer.getActiveMipmapLevel()];
  const mrt = renderer.getMRT();
  const objectFunction = renderer.getRenderObjectFunction();
  const { autoClear } = renderer;
  const { enabled } = renderer.xr;
  renderer.setMRT(null);
  renderer.setRenderObjectFunction(null);
  renderer.autoClear = true;
  renderer.xr.enabled = false;
  try {
    run();
  } finally {
    renderer.xr.enabled = enabled;
    renderer.autoClear = autoClear;
    renderer.setRenderObjectFunction(objectFunction);
    renderer.setMRT(mrt);
    renderer.setRenderTarget(target, face, level);
  }
}
