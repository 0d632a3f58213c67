/**
 * The picture on its way to the canvas: regions are drawn into a target of the size and samples that the moment allows, and
 * then enlarged onto the canvas at once. The renderer would do the same with a target of its own, always the finest, and
 * once for every region.
 */
import { HalfFloatType, type PerspectiveCamera, RenderTarget, type Scene } from 'three';
import { texture } from 'three/tsl';
import { RenderPipeline, type WebGPURenderer } from 'three/webgpu';
import type { Fineness } from './pace.ts';
import type { Region } from './stage.ts';

interface Sheet {
  readonly target: RenderTarget;
  readonly pipeline: RenderPipeline;
}

export class Picture {
  readonly #renderer: WebGPURenderer;
  /** One per number of samples, as shaders are compiled for it. */
  readonly #sheets = new Map<number, Sheet>();
  #sheet: Sheet | undefined;
  /** Pixels of the target per CSS pixel. */
  #scale = 1;

  constructor(renderer: WebGPURenderer) {
    this.#renderer = renderer;
  }

  /** @param width, height  of the canvas in CSS pixels */
  begin(width: number, height: number, { scale, samples }: Fineness): void {
    this.#sheet = this.#sheets.get(samples) ?? this.#newSheet(samples);
    this.#scale = scale * this.#renderer.getPixelRatio();
    const { target } = this.#sheet;
    target.setSize(Math.max(1, Math.ceil(this.#scale * width)), Math.max(1, Math.ceil(this.#scale * height)));
    target.scissorTest = false;
    this.#renderer.setRenderTarget(target);
    this.#renderer.clear();
    this.#renderer.setRenderTarget(null);
  }

  /** Draws a scene into a region; the camera fills `view`. Both in CSS pixels. */
  draw(scene: Scene, camera: PerspectiveCamera, region: Region, view: Region): void {
    if (!this.#sheet) return;
    const { target } = this.#sheet;
    const scale = this.#scale;
    target.viewport.set(scale * view.x, scale * view.y, scale * view.width, scale * view.height);
    target.scissor.set(scale * region.x, scale * region.y, scale * region.width, scale * region.height);
    target.scissorTest = true;
    this.#renderer.setRenderTarget(target);
    this.#renderer.render(scene, camera);
    this.#renderer.setRenderTarget(null);
  }

  end(): void {
    this.#sheet?.pipeline.render();
  }

  dispose(): void {
    for (const { target, pipeline } of this.#sheets.values()) {
      target.dispose();
      pipeline.dispose();
    }
    this.#sheets.clear();
  }

  #newSheet(samples: number): Sheet {
    const target = new RenderTarget(1, 1, { type: HalfFloatType, samples });
    const sheet = { target, pipeline: new RenderPipeline(this.#renderer, texture(target.texture)) };
    this.#sheets.set(samples, sheet);
    return sheet;
  }
}
