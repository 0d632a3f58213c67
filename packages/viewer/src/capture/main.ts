/**
 * The page that makes pictures and films. Whoever opened it asks for them step by step, which shows how far it is and
 * can be stopped between two; results are base64, which any channel carries.
 */
import type { ViewScene } from '@pelt/jobs/view';
import { embeddedScene } from '../scene/embedded-scene.ts';
import type { Film } from './film.ts';
import { GifFilm } from './gif-film.ts';
import { Mp4Film } from './mp4-film.ts';
import { PictureMaker } from './picture.ts';

/** Frames of a film that its camera is framed by. */
const FRAMED = 12;

/** Characters of a result in one answer. */
const PART = 2 ** 23;

class Capture {
  readonly #scene: ViewScene;
  #maker: PictureMaker | undefined;
  #film: Film | undefined;
  #result = '';

  constructor(scene: ViewScene) {
    this.#scene = scene;
  }

  /** @returns the number of steps */
  async begin(format: 'png' | 'gif' | 'mp4'): Promise<number> {
    const { picture, subjects } = this.#scene;
    const { shots, film } = picture;
    if (format === 'png' || !film) {
      this.#maker = new PictureMaker(
        this.#scene,
        shots.length,
        shots.map(({ frame }) => frame),
      );
      return 1;
    }
    const count = Math.max(1, ...subjects.map(({ clips }) => clips[0]?.times.length ?? 1));
    const framed = Array.from({ length: Math.min(FRAMED, count) }, (_, k) => Math.floor((k * count) / FRAMED));
    this.#maker = new PictureMaker(this.#scene, 1, framed);
    const { canvas } = this.#maker;
    this.#film =
      format === 'gif' ? new GifFilm(film.fps, canvas.width, canvas.height) : await Mp4Film.open(canvas, film.fps);
    return film.frames;
  }

  async step(k: number): Promise<void> {
    const { picture, subjects } = this.#scene;
    const { film, shots } = picture;
    if (!this.#maker) throw new Error('begin comes first');
    if (!this.#film || !film) {
      this.#maker.draw(shots.map((shot) => ({ ...shot, turn: 0 })));
      return;
    }
    const times = subjects.map(({ clips }) => clips[0]?.times).find((own) => own && own.length > 1);
    const frame = times ? nearest(times, (k / film.fps) % ((times.at(-1) ?? 0) + 1 / film.fps)) : -1;
    this.#maker.draw([{ frame, label: '', turn: film.turntable ? k / film.frames : 0 }]);
    await this.#film.add(this.#maker.canvas);
  }

  /** @returns characters of the result, to be taken in parts, and the codec of a film */
  async finish(): Promise<{ length: number; part: number; codec?: string | undefined }> {
    const bytes = this.#film ? await this.#film.finish() : await pngOf(this.#maker?.canvas);
    this.#result = await base64Of(bytes);
    return { length: this.#result.length, part: PART, codec: this.#film?.codec };
  }

  part(from: number): string {
    return this.#result.slice(from, from + PART);
  }
}

/** The frame whose time is nearest. */
function nearest(times: Float64Array, time: number): number {
  const after = times.findIndex((own) => own >= time);
  if (after <= 0) return after < 0 ? times.length - 1 : 0;
  return time - times[after - 1] < times[after] - time ? after - 1 : after;
}

async function pngOf(canvas: HTMLCanvasElement | undefined): Promise<Uint8Array> {
  const blob = await new Promise<Blob | null>((done) => (canvas ? canvas.toBlob(done) : done(null)));
  if (!blob) throw new Error('the picture is too large for the browser');
  return new Uint8Array(await blob.arrayBuffer());
}

async function base64Of(bytes: Uint8Array): Promise<string> {
  const reader = new FileReader();
  const done = new Promise((resolve) => {
    reader.onload = resolve;
  });
  reader.readAsDataURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  await done;
  return String(reader.result).replace(/^[^,]*,/, '');
}

Object.assign(window, { capture: embeddedScene().then((scene) => new Capture(scene)) });
