/** The three renderers that every model is played by. */
import { WebGLRenderer } from 'three';
import { WebGPURenderer } from 'three/webgpu';

export type RendererKind = 'webgpu' | 'webgl2' | 'classic';
export type AnyRenderer = WebGPURenderer | WebGLRenderer;

const made = new Map<RendererKind, Promise<AnyRenderer>>();

export function rendererOf(kind: RendererKind): Promise<AnyRenderer> {
  const found = made.get(kind) ?? create(kind);
  made.set(kind, found);
  return found;
}

async function create(kind: RendererKind): Promise<AnyRenderer> {
  if (kind === 'classic') {
    const renderer = new WebGLRenderer();
    renderer.setSize(64, 64, false);
    return renderer;
  }
  const renderer = new WebGPURenderer({ forceWebGL: kind === 'webgl2' });
  renderer.setSize(64, 64, false);
  await renderer.init();
  const isWebGPU = (renderer.backend as { isWebGPUBackend?: boolean }).isWebGPUBackend === true;
  if (isWebGPU !== (kind === 'webgpu')) throw new Error(`asked for ${kind}, got another back end`);
  return renderer;
}

export function isClassic(renderer: AnyRenderer): renderer is WebGLRenderer {
  return renderer instanceof WebGLRenderer;
}
