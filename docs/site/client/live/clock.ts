/** A frame slider that plays by itself until somebody takes hold of it. */
import type { LiveHost } from './host.ts';

export class FrameClock {
  readonly #count: number;
  readonly #fps: number;
  readonly #slider: { value: number };
  #held = false;

  constructor(host: LiveHost, count: number, fps: number, first = 0) {
    this.#count = count;
    this.#fps = fps;
    this.#slider = host.slider('Frame', { min: 0, max: count - 1, value: first }, () => {
      this.#held = true;
    });
    host.button('Play', () => {
      this.#held = false;
    });
  }

  /** The frame to show. */
  at(seconds: number): number {
    if (!this.#held && seconds > 0) this.#slider.value = Math.floor(seconds * this.#fps) % this.#count;
    return this.#slider.value;
  }
}

/** A slider that sways by itself until somebody takes hold of it. */
export class Sway {
  readonly #slider: { value: number };
  readonly #min: number;
  readonly #max: number;
  readonly #period: number;
  #held = false;

  constructor(host: LiveHost, name: string, min: number, max: number, { value = min, period = 6 } = {}) {
    [this.#min, this.#max, this.#period] = [min, max, period];
    const format = (degrees: number) => `${Math.round(degrees)}°`;
    this.#slider = host.slider(name, { min, max, value, format }, () => {
      this.#held = true;
    });
  }

  hold(): void {
    this.#held = true;
  }

  /** Degrees. */
  at(seconds: number): number {
    if (!this.#held && seconds > 0) {
      const share = (1 - Math.cos((2 * Math.PI * seconds) / this.#period)) / 2;
      this.#slider.value = this.#min + (this.#max - this.#min) * share;
    }
    return this.#slider.value;
  }
}
