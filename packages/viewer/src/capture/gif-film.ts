/** A film as GIF. All frames share one palette, so that colours that stay do not flicker. */
import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import type { Film } from './film.ts';

const COLOURS = 256;
/** Frames of which the palette is made, from the first to the last. */
const SAMPLED = 8;

export class GifFilm implements Film {
  readonly codec = undefined;
  readonly #frames: Uint8ClampedArray[] = [];
  readonly #fps: number;
  readonly #size: readonly [number, number];

  constructor(fps: number, width: number, height: number) {
    this.#fps = fps;
    this.#size = [width, height];
  }

  async add(canvas: HTMLCanvasElement): Promise<void> {
    const pen = canvas.getContext('2d');
    if (pen) this.#frames.push(pen.getImageData(0, 0, ...this.#size).data);
  }

  async finish(): Promise<Uint8Array> {
    const [width, height] = this.#size;
    const palette = quantize(this.#sample(), COLOURS);
    const encoder = GIFEncoder();
    this.#frames.forEach((pixels, k) => {
      // Delays are hundredths of a second: rounded so that they add up.
      const hundredths = Math.round((100 * (k + 1)) / this.#fps) - Math.round((100 * k) / this.#fps);
      const colours = k === 0 ? { palette } : {};
      encoder.writeFrame(applyPalette(pixels, palette), width, height, { ...colours, delay: 10 * hundredths });
    });
    encoder.finish();
    return encoder.bytes();
  }

  #sample(): Uint8ClampedArray {
    const count = Math.min(SAMPLED, this.#frames.length);
    const chosen = Array.from({ length: count }, (_, k) => this.#frames[Math.floor((k * this.#frames.length) / count)]);
    const all = new Uint8ClampedArray(chosen.reduce((sum, { length }) => sum + length, 0));
    chosen.reduce((at, pixels) => {
      all.set(pixels, at);
      return at + pixels.length;
    }, 0);
    return all;
  }
}
