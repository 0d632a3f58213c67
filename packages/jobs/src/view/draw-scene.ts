/** What a host that can draw gives to `pelt view`. */
import type { RunContext } from '@pelt/model';
import type { ViewScene } from './scene.ts';

export type ViewFormat = 'png' | 'gif' | 'mp4' | 'html';

export interface DrawnScene {
  readonly bytes: Uint8Array;
  /** Of a film. */
  readonly codec?: string | undefined;
}

/** Draws scenes: a page for people, or pictures and films by a browser without a window. */
export interface SceneDrawer {
  /** Throws where files of the format cannot be made here, and says what to install. */
  requireFormat(format: ViewFormat): Promise<void>;
  draw(scene: ViewScene, format: ViewFormat, context: RunContext): Promise<DrawnScene>;
}
