/** What a live example is given: its part of the page, with labelled controls that work by keyboard. */

import type { Object3D } from 'three/webgpu';
import { heatStops } from '../../../../apps/studio/src/viewport/palette.ts';
import type { Stage } from '../../../../apps/studio/src/viewport/stage.ts';

export interface SliderOptions {
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly value: number;
  readonly format?: (value: number) => string;
}

/** An example that runs. */
export interface LiveExample {
  /**
   * Before every picture.
   *
   * @param seconds  since the start, without the time out of view; stands still for readers who want less motion
   */
  frame(seconds: number): void;
  dispose?(): void;
}

export type StartLive = (host: LiveHost) => Promise<LiveExample>;

export class LiveHost {
  readonly section: HTMLElement;
  readonly stage: Stage;
  readonly canvas: HTMLCanvasElement;
  readonly #controls: HTMLElement;
  readonly #status: HTMLElement;
  readonly picture: HTMLElement;
  /** What each column of the picture shows; none or one for the whole of it. */
  columns: readonly Object3D[] = [];

  constructor(section: HTMLElement, stage: Stage, canvas: HTMLCanvasElement) {
    this.section = section;
    this.stage = stage;
    this.canvas = canvas;
    this.#controls = section.querySelector('.live-controls') as HTMLElement;
    this.#status = section.querySelector('.live-status') as HTMLElement;
    this.picture = section.querySelector('.live-stage') as HTMLElement;
  }

  say(text: string): void {
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }

  fail(error: unknown): void {
    this.section.classList.add('failed');
    this.say(`This example stopped: ${error instanceof Error ? error.message : String(error)}`);
    console.error(error);
  }

  /** @returns the value that it has, and a way to set it */
  slider(
    name: string,
    { min, max, step = 1, value, format = String }: SliderOptions,
    onInput: (value: number) => void,
  ) {
    const input = Object.assign(document.createElement('input'), { type: 'range', min, max, step });
    const output = document.createElement('output');
    input.value = String(value);
    output.textContent = format(value);
    input.addEventListener('input', () => {
      output.textContent = format(input.valueAsNumber);
      onInput(input.valueAsNumber);
    });
    this.#label(name, input, output);
    return {
      get value() {
        return input.valueAsNumber;
      },
      set value(next: number) {
        input.value = String(next);
        output.textContent = format(input.valueAsNumber);
      },
    };
  }

  select(name: string, options: readonly string[], onChange: (index: number) => void): void {
    const select = document.createElement('select');
    select.append(...options.map((text) => Object.assign(document.createElement('option'), { textContent: text })));
    select.addEventListener('change', () => onChange(select.selectedIndex));
    this.#label(name, select);
  }

  choices(name: string, options: readonly string[], onChange: (index: number) => void): void {
    const group = Object.assign(document.createElement('fieldset'), { className: 'live-choices' });
    group.append(Object.assign(document.createElement('legend'), { textContent: name }));
    options.forEach((text, k) => {
      const radio = Object.assign(document.createElement('input'), { type: 'radio', name, checked: k === 0 });
      radio.addEventListener('change', () => onChange(k));
      const label = document.createElement('label');
      label.append(radio, text);
      group.append(label);
    });
    this.#controls.append(group);
  }

  button(text: string, onClick: () => void): void {
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'live-button' });
    button.textContent = text;
    button.addEventListener('click', onClick);
    this.#controls.append(button);
  }

  /** Names under the parts of the picture, from left to right; may be given again. */
  labels(names: readonly string[]): void {
    let list = this.picture.querySelector('.live-labels');
    if (!list) {
      list = Object.assign(document.createElement('ul'), { className: 'live-labels' });
      this.picture.append(list);
    }
    list.replaceChildren(...names.map((text) => Object.assign(document.createElement('li'), { textContent: text })));
  }

  /**
   * The colours of the heat map.
   *
   * @param end  what the darkest stands for
   * @returns a way to hide it
   */
  legend(end: string): (shown: boolean) => void {
    const bar = Object.assign(document.createElement('canvas'), { width: 96, height: 1 });
    const context = bar.getContext('2d');
    heatStops(96).forEach((colour, k) => {
      if (!context) return;
      context.fillStyle = colour;
      context.fillRect(k, 0, 1, 1);
    });
    const legend = Object.assign(document.createElement('div'), { className: 'live-legend' });
    legend.append('0', bar, end);
    this.picture.append(legend);
    return (shown) => {
      legend.hidden = !shown;
    };
  }

  #label(name: string, ...parts: HTMLElement[]): void {
    const label = document.createElement('label');
    label.append(Object.assign(document.createElement('span'), { textContent: name }), ...parts);
    this.#controls.append(label);
  }
}
