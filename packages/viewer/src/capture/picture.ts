/** A picture of a scene: panels in rows, their names above them, and one legend for all. */
import type { ViewScene, ViewSubject } from '@pelt/jobs/view';
import { BACKGROUND, INK, mapColour, toHex } from '../drawing/colour.ts';
import type { View } from '../drawing/items.ts';
import { pointsOf, shotOf } from '../drawing/shot.ts';
import { Stage } from '../drawing/stage.ts';
import { linearTicks, tickText } from '../drawing/ticks.ts';
import { heatOf, itemsOf } from './scene-items.ts';

/** Sizes in pixels, for panels of this width. */
const DESIGNED_FOR = 480;
const [MARGIN, GAP, NAME, TITLE, LEGEND, LEGEND_WIDTH] = [14, 10, 22, 30, 48, 240];

/** A moment of the scene: a frame and its label, and how far the camera has gone around, in turns. */
export interface Moment {
  readonly frame: number;
  readonly label: string;
  readonly turn: number;
}

export class PictureMaker {
  readonly canvas = document.createElement('canvas');
  readonly #stage = new Stage();
  readonly #scene: ViewScene;
  /** What all panels have in their picture; a film has one camera from its first frame to its last. */
  readonly #points: number[][];
  readonly #unit: number;

  readonly #top: number;
  readonly #name: number;

  /**
   * @param moments  how many of them are shown at once
   * @param framed   frames that the camera has in its picture
   */
  constructor(scene: ViewScene, moments: number, framed: readonly number[]) {
    const { subjects, look, picture, title } = scene;
    const { columns, width, height } = picture;
    const unit = Math.max(width / DESIGNED_FOR, 0.5);
    const rows = Math.ceil((moments * subjects.length) / columns);
    const named = subjects.length > 1 || picture.shots.some(({ label }) => label);
    this.#scene = scene;
    this.#unit = unit;
    this.#points = subjects.flatMap((subject, k) =>
      framed.flatMap((frame) => pointsOf(itemsOf(scene, k, 0, frameIn(subject, frame)))),
    );
    this.#top = (MARGIN + (title ? TITLE : 0)) * unit;
    this.#name = named ? NAME * unit : 0;
    const legend = look.heat === undefined ? 0 : LEGEND * unit;
    this.canvas.width = even(2 * MARGIN * unit + columns * width + (columns - 1) * GAP * unit);
    this.canvas.height = even(
      this.#top + rows * (height + this.#name) + (rows - 1) * GAP * unit + legend + MARGIN * unit,
    );
  }

  /** @param moments  of each, all subjects */
  draw(moments: readonly Moment[]): void {
    const { subjects, look, title } = this.#scene;
    const unit = this.#unit;
    const pen = this.#pen();
    pen.fillStyle = BACKGROUND;
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    pen.fillStyle = INK;
    if (title) {
      pen.font = font(16 * unit, true);
      pen.fillText(title, MARGIN * unit, (MARGIN + TITLE / 2) * unit);
    }
    moments.forEach((moment, row) => {
      subjects.forEach((_, k) => {
        this.#panel(pen, k, moment, row * subjects.length + k);
      });
    });
    if (look.heat !== undefined) this.#legend(pen, look.heat);
  }

  /**
   * @param k      which of the subjects
   * @param panel  number of the panel, row by row
   */
  #panel(pen: CanvasRenderingContext2D, k: number, { frame, label, turn }: Moment, panel: number): void {
    const { subjects, picture, camera } = this.#scene;
    const subject = subjects[k];
    const { width, height, samples, columns } = picture;
    const gap = GAP * this.#unit;
    const x = MARGIN * this.#unit + (panel % columns) * (width + gap);
    const y = this.#top + Math.floor(panel / columns) * (height + this.#name + gap);
    const view: View = { direction: turned(camera.direction, camera.up, turn), up: camera.up };
    const items = itemsOf(this.#scene, k, 0, frameIn(subject, frame));
    const shot = shotOf(items, this.#points, view, width / height, true);
    const { canvas } = this.#stage.render(shot, width, height, samples);
    dispose(shot.objects);
    pen.drawImage(canvas, Math.round(x), Math.round(y + this.#name));
    const name = [subjects.length > 1 ? subject.label : '', label].filter((word) => word).join(', ');
    pen.fillStyle = INK;
    pen.font = font(13 * this.#unit, true);
    pen.fillText(name, x, y + this.#name / 2, width);
  }

  #pen(): CanvasRenderingContext2D {
    const pen = this.canvas.getContext('2d', { willReadFrequently: true });
    if (!pen) throw new Error('the browser has no canvas');
    pen.textBaseline = 'middle';
    return pen;
  }

  #legend(pen: CanvasRenderingContext2D, max: number): void {
    const unit = this.#unit;
    const { name, unit: of } = heatOf(max);
    const width = LEGEND_WIDTH * unit;
    const x = (this.canvas.width - width) / 2;
    const y = this.canvas.height - (LEGEND + MARGIN / 2) * unit;
    pen.textAlign = 'center';
    pen.font = font(12 * unit, false);
    pen.fillText(`${name} (${of})`, x + width / 2, y + 8 * unit);
    const colours = pen.createLinearGradient(x, 0, x + width, 0);
    for (let k = 0; k <= 32; k++) colours.addColorStop(k / 32, toHex(mapColour('heat', k / 32)));
    pen.fillStyle = colours;
    pen.fillRect(x, y + 19 * unit, width, 10 * unit);
    pen.fillStyle = INK;
    for (const value of linearTicks(0, max, 4)) pen.fillText(tickText(value), x + (width * value) / max, y + 38 * unit);
    pen.textAlign = 'start';
  }
}

/** Video encoders take even sizes. */
function even(size: number): number {
  return 2 * Math.ceil(size / 2);
}

function font(size: number, bold: boolean): string {
  return `${bold ? 'bold ' : ''}${Math.round(size)}px "Liberation Sans", Arial, Helvetica, sans-serif`;
}

/** The last frame stays where another subject plays on. */
function frameIn({ clips }: ViewSubject, frame: number): number {
  return Math.min(frame, (clips[0]?.times.length ?? 0) - 1);
}

/** The direction, turned about the axis that points up. */
function turned(direction: readonly number[], up: readonly number[], turn: number): [number, number, number] {
  const [cosine, sine] = [Math.cos(2 * Math.PI * turn), Math.sin(2 * Math.PI * turn)];
  const along = direction.reduce((sum, value, c) => sum + value * up[c], 0);
  const side = [0, 1, 2].map((c) => {
    const [a, b] = [(c + 1) % 3, (c + 2) % 3];
    return up[a] * direction[b] - up[b] * direction[a];
  });
  const [x, y, z] = direction.map((value, c) => cosine * value + sine * side[c] + (1 - cosine) * along * up[c]);
  return [x, y, z];
}

function dispose(objects: ReturnType<typeof shotOf>['objects']): void {
  for (const object of objects) {
    const { geometry, material } = object as { geometry?: { dispose(): void }; material?: { dispose(): void } };
    geometry?.dispose();
    material?.dispose();
  }
}
