/** The page of `pelt view -o page.html`: plays the clips, shows heat, weights and bones, and names vertices. */
import type { ViewLook, ViewScene } from '@pelt/jobs/view';
import { mapColour, toHex } from '../drawing/colour.ts';
import { linearTicks, tickText } from '../drawing/ticks.ts';
import { embeddedScene } from '../scene/embedded-scene.ts';
import { describePick } from './picks.ts';
import { type Pick, PlayerStage } from './stage.ts';
import { Surface } from './surface.ts';

/** A press that moves farther than this is a turn of the camera, in CSS pixels. */
const CLICK = 4;
/** Picks that stay in the list. */
const KEPT = 12;

type LookName = 'heat' | 'weights' | 'bones' | 'edges';

class Player {
  readonly #scene: ViewScene;
  readonly #surfaces: readonly Surface[];
  readonly #stage: PlayerStage;
  #look: ViewLook;
  #clip = 0;
  #frame = 0;
  #playing: number | undefined;
  #pick: Pick | undefined;
  #drawing = false;

  constructor(scene: ViewScene) {
    this.#scene = scene;
    this.#look = scene.look;
    this.#surfaces = scene.subjects.map((subject) => new Surface(subject, scene.subjects[0], scene.look.flat));
    this.#frame = this.#times().length > 1 ? 0 : -1;
    for (const surface of this.#surfaces) surface.show(this.#clip, this.#frame, this.#look);
    this.#stage = new PlayerStage(element<HTMLCanvasElement>('canvas'), this.#surfaces, scene.camera, () =>
      this.#draw(),
    );
    this.#label();
    this.#addLooks();
    this.#addTransport();
    this.#addPicking();
    window.addEventListener('resize', () => this.#draw());
    this.show();
  }

  show(): void {
    for (const surface of this.#surfaces) {
      surface.show(this.#clip, this.#frame, this.#look);
      surface.mark(this.#pick?.surface === surface ? this.#pick.vertex : undefined);
    }
    const times = this.#times();
    element<HTMLInputElement>('time').value = String(this.#frame);
    element('frame').textContent =
      times.length > 1 ? `frame ${this.#frame + 1} of ${times.length}, ${times[this.#frame].toFixed(2)} s` : '';
    this.#legend();
    this.#draw();
  }

  /** At most once for each picture of the screen. */
  #draw(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      this.#stage.draw();
    });
  }

  /** Of the clip of the subject that has the most frames. */
  #times(): Float64Array {
    const all = this.#scene.subjects.map(({ clips }) => clips[this.#clip]?.times ?? new Float64Array(0));
    return all.reduce((longest, times) => (times.length > longest.length ? times : longest), new Float64Array(0));
  }

  #label(): void {
    const { title, subjects } = this.#scene;
    const name = title || subjects.map(({ label }) => label).join(' · ');
    document.title = name;
    element('title').textContent = name;
    if (subjects.length > 1) element('names').append(...subjects.map(({ label }) => made('span', label)));
  }

  #addLooks(): void {
    const { subjects, look } = this.#scene;
    const skinned = subjects.some(({ rig }) => rig?.skinned);
    const offered: [LookName, string, boolean][] = [
      ['heat', 'heat', look.heat !== undefined],
      ['weights', 'weights', skinned],
      ['bones', 'bones', skinned],
      ['edges', 'edges', true],
    ];
    for (const [name, text] of offered.filter(([, , there]) => there)) {
      const box = document.createElement('input');
      box.type = 'checkbox';
      box.id = `look-${name}`;
      box.checked = Boolean(look[name]);
      box.addEventListener('change', () => {
        this.#look = { ...this.#look, [name]: name === 'heat' ? (box.checked ? look.heat : undefined) : box.checked };
        this.show();
      });
      const label = document.createElement('label');
      label.append(box, ` ${text}`);
      element('looks').append(label);
    }
  }

  #addTransport(): void {
    const clips = this.#scene.subjects.map((subject) => subject.clips).find((own) => own.length > 0) ?? [];
    element('transport').hidden = this.#times().length < 2;
    if (element('transport').hidden) element('transport').style.display = 'none';
    const choice = element<HTMLSelectElement>('clip');
    choice.append(...clips.map(({ name }, k) => new Option(name || String(k), String(k))));
    const slider = element<HTMLInputElement>('time');
    const limit = () => {
      slider.max = String(Math.max(0, this.#times().length - 1));
    };
    limit();
    choice.addEventListener('change', () => {
      this.#clip = Number(choice.value);
      this.#frame = this.#times().length > 1 ? 0 : -1;
      limit();
      this.show();
    });
    slider.addEventListener('input', () => {
      this.#pause();
      this.#frame = Number(slider.value);
      this.show();
    });
    element('play').addEventListener('click', () => this.#toggle());
    window.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return;
      if (event.key === ' ' && !(event.target instanceof HTMLButtonElement)) this.#toggle();
      else if (step !== undefined) this.#step(step);
      else return;
      event.preventDefault();
    });
  }

  #step(by: number): void {
    const count = this.#times().length;
    if (count < 2) return;
    this.#pause();
    this.#frame = (this.#frame + by + count) % count;
    this.show();
  }

  #toggle(): void {
    if (this.#playing !== undefined) {
      this.#pause();
      return;
    }
    const times = this.#times();
    if (times.length < 2) return;
    const [end, button] = [times[times.length - 1] || 1, element('play')];
    button.textContent = '❚❚';
    button.setAttribute('aria-label', 'Pause');
    const started = performance.now() - 1000 * times[Math.max(0, this.#frame)];
    const tick = (now: number) => {
      const own = this.#times();
      const time = ((now - started) / 1000) % (own === times ? end : (own.at(-1) ?? 1) || 1);
      const after = own.findIndex((at) => at > time);
      this.#frame = after < 0 ? own.length - 1 : Math.max(0, after - 1);
      this.show();
      this.#playing = requestAnimationFrame(tick);
    };
    this.#playing = requestAnimationFrame(tick);
  }

  #pause(): void {
    if (this.#playing === undefined) return;
    cancelAnimationFrame(this.#playing);
    this.#playing = undefined;
    element('play').textContent = '▶';
    element('play').setAttribute('aria-label', 'Play');
  }

  #addPicking(): void {
    const canvas = element<HTMLCanvasElement>('canvas');
    let down: readonly [number, number] | undefined;
    canvas.addEventListener('pointerdown', ({ offsetX, offsetY }) => {
      down = [offsetX, offsetY];
    });
    canvas.addEventListener('pointerup', ({ offsetX, offsetY }) => {
      if (!down || Math.hypot(offsetX - down[0], offsetY - down[1]) > CLICK) return;
      const pick = this.#stage.pick(offsetX, offsetY);
      if (!pick) return;
      this.#pick = pick;
      this.#list(pick);
      this.show();
    });
  }

  #list(pick: Pick): void {
    const { name, details, handle, point } = describePick(pick);
    const entry = document.createElement('article');
    const title = made('strong', name);
    const several = this.#surfaces.length > 1;
    entry.append(title, ...(several ? [made('div', pick.surface.subject.label)] : []));
    entry.append(...details.map((line) => made('div', line)), made('code', handle), document.createElement('br'));
    entry.append(made('code', point));
    const list = element('picks');
    list.querySelector('p')?.remove();
    list.prepend(entry);
    while (list.childElementCount > KEPT) list.lastElementChild?.remove();
  }

  #legend(): void {
    const legend = element('legend');
    const { heat } = this.#look;
    legend.hidden = heat === undefined;
    if (heat === undefined) return;
    const frame = this.#surfaces.flatMap(({ heat: own }) => (own ? [`${rootMeanSquare(own).toPrecision(3)} %`] : []));
    const stops = Array.from({ length: 17 }, (_, k) => toHex(mapColour('heat', k / 16)));
    const bar = made('div', '');
    bar.className = 'bar';
    bar.style.background = `linear-gradient(to right, ${stops.join(', ')})`;
    const scale = made('div', '');
    scale.className = 'scale';
    const ticks = linearTicks(0, heat, 4);
    scale.append(...ticks.map((value) => made('span', tickText(value))));
    scale.style.width = `${(100 * ticks[ticks.length - 1]) / heat}%`;
    legend.replaceChildren(made('div', 'distance to the original, % of the diagonal'), bar, scale);
    legend.append(made('div', `rms of this frame ${frame.join(', ')}`));
  }
}

function rootMeanSquare(values: Float64Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / Math.max(values.length, 1));
}

function element<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element '${id}'`);
  return found as E;
}

function made(tag: string, text: string): HTMLElement {
  const out = document.createElement(tag);
  out.textContent = text;
  return out;
}

new Player(await embeddedScene());
