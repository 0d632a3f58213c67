/** `fit(threads)` fits the clip beside this page in a worker. */
window.fit = async (threads) => {
  const [rest, clip] = await Promise.all(
    ['rest.obj', 'clip.pc2'].map(async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer())),
  );
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => {
      worker.terminate();
      if (data.failed) reject(new Error(data.failed));
      else resolve(data);
    };
    worker.postMessage({ rest, clip, threads });
  });
};
