/** A film as MP4, by the video encoder of the browser: H.264, which plays everywhere, or else what there is. */
import {
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  QUALITY_HIGH,
  type VideoCodec,
} from 'mediabunny';
import type { Film } from './film.ts';

const CODECS: VideoCodec[] = ['avc', 'hevc', 'av1', 'vp9'];
const KEY_SECONDS = 2;

export class Mp4Film implements Film {
  readonly codec: string;
  readonly #output: Output<Mp4OutputFormat, BufferTarget>;
  readonly #source: CanvasSource;
  readonly #fps: number;
  #frame = 0;

  private constructor(canvas: HTMLCanvasElement, fps: number, codec: VideoCodec) {
    this.codec = codec;
    this.#fps = fps;
    // Without a reservation in front a player would have to read to the end before it starts.
    this.#output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() });
    this.#source = new CanvasSource(canvas, { codec, bitrate: QUALITY_HIGH, keyFrameInterval: KEY_SECONDS });
    this.#output.addVideoTrack(this.#source, { frameRate: fps });
  }

  static async open(canvas: HTMLCanvasElement, fps: number): Promise<Mp4Film> {
    const { width, height } = canvas;
    const codec = await getFirstEncodableVideoCodec(CODECS, { width, height, bitrate: QUALITY_HIGH });
    if (!codec) throw new Error('this browser has no video encoder; write a .gif, or set PELT_BROWSER to Chrome');
    const film = new Mp4Film(canvas, fps, codec);
    await film.#output.start();
    return film;
  }

  async add(): Promise<void> {
    await this.#source.add(this.#frame++ / this.#fps, 1 / this.#fps);
  }

  async finish(): Promise<Uint8Array> {
    await this.#output.finalize();
    const { buffer } = this.#output.target;
    if (!buffer) throw new Error('the film is empty');
    return new Uint8Array(buffer);
  }
}
