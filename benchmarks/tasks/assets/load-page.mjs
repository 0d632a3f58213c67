import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

/** Bytes are fetched before: a network is not what is measured. */
globalThis.compareLoads = async (a, b, rounds) => {
  await MeshoptDecoder.ready;
  const rivals = await Promise.all([a, b].map(async (url) => (await fetch(url, { cache: 'no-store' })).arrayBuffer()));
  const times = [[], []];
  for (let round = -2; round < rounds; round++) {
    for (const k of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
      const started = performance.now();
      await loader.parseAsync(rivals[k].slice(0), '');
      // The first rounds warm both up.
      if (round >= 0) times[k].push(performance.now() - started);
    }
  }
  return times.map((own) => own.sort((x, y) => x - y)[Math.floor(own.length / 2)]);
};
