/** Loads two files in alternation, in three.js or in Babylon.js, which the page has as a script of its own. */
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
const LEAST_MS = 10;

function openBabylon() {
  const { BABYLON } = globalThis;
  BABYLON.MeshoptCompression.Configuration.decoder.url = '/meshopt_decoder.js';
  return { BABYLON, scene: new BABYLON.Scene(new BABYLON.NullEngine()) };
}

/** Bytes are fetched before: a network is not what is measured. */
globalThis.compareLoads = async (engine, a, b, rounds) => {
  await MeshoptDecoder.ready;
  const host = engine === 'babylon' ? openBabylon() : undefined;
  const rivals = await Promise.all([a, b].map(async (url) => (await fetch(url, { cache: 'no-store' })).arrayBuffer()));
  const times = [[], []];
  let loads = 1;
  for (let round = -2; round < rounds; round++) {
    for (const k of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const copies = Array.from({ length: loads }, () => new Uint8Array(rivals[k].slice(0)));
      const started = performance.now();
      for (const bytes of copies) await LOADS[engine](bytes, host);
      const each = (performance.now() - started) / loads;
      // The first rounds warm both up.
      if (round >= 0) times[k].push(each);
      else loads = Math.max(loads, Math.ceil(LEAST_MS / each));
    }
  }
  return times.map((own) => own.sort((x, y) => x - y)[Math.floor(own.length / 2)]);
};
