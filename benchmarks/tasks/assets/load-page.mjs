/** Loads two files in turn, in three.js or in Babylon.js, which the page has as a script of its own. */
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const LOADS = {
  three: async (bytes) => {
    await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).parseAsync(bytes.buffer, '');
  },
  // Without a graphics card both spend their time on the file alone.
  babylon: async (bytes, { BABYLON, scene }) => {
    const container = await BABYLON.LoadAssetContainerAsync(bytes, scene, { pluginExtension: '.glb' });
    container.dispose();
  },
};

/** What one measurement takes at least: clocks of browsers have steps of a tenth of a millisecond. */
const LEAST_MS = 20;
/** Rounds that compile the code for both files before anything counts. */
const WARM_UPS = 8;

function openBabylon() {
  const { BABYLON } = globalThis;
  BABYLON.MeshoptCompression.Configuration.decoder.url = '/meshopt_decoder.js';
  return { BABYLON, scene: new BABYLON.Scene(new BABYLON.NullEngine()) };
}

/** Two files, compared for as long as somebody asks. */
class Comparison {
  #engine;
  #host;
  #files;
  #loads = 1;
  #round = 0;

  constructor(engine, files) {
    this.#engine = engine;
    this.#host = engine === 'babylon' ? openBabylon() : undefined;
    this.#files = files;
  }

  async warm() {
    for (let k = 0; k < WARM_UPS; k++) {
      const times = await this.#pair();
      this.#loads = Math.max(this.#loads, Math.ceil(LEAST_MS / Math.min(...times)));
    }
  }

  async pairs(count) {
    const out = [];
    for (let k = 0; k < count; k++) out.push(await this.#pair());
    return out;
  }

  /** Milliseconds of a load of each; whose turn is first changes. */
  async #pair() {
    const times = [0, 0];
    for (const k of this.#round++ % 2 === 0 ? [0, 1] : [1, 0]) times[k] = await this.#time(this.#files[k]);
    return times;
  }

  async #time(file) {
    const copies = Array.from({ length: this.#loads }, () => new Uint8Array(file.slice(0)));
    // What the rival has left behind is not this one's to clear away.
    globalThis.gc();
    const started = performance.now();
    for (const bytes of copies) await LOADS[this.#engine](bytes, this.#host);
    return (performance.now() - started) / this.#loads;
  }
}

let comparison;

/** Bytes are fetched before: a network is not what is measured. */
globalThis.startComparison = async (engine, urls) => {
  await MeshoptDecoder.ready;
  const files = urls.map(async (url) => (await fetch(url, { cache: 'no-store' })).arrayBuffer());
  comparison = new Comparison(engine, await Promise.all(files));
  await comparison.warm();
};

globalThis.comparePairs = (count) => comparison.pairs(count);
