/** The browser's side: computes the sample in a worker and sends it to the page. */
import { computeSample } from './sample.ts';

addEventListener('message', async ({ data: threads }: MessageEvent<number>) => {
  try {
    postMessage({ sample: await computeSample(threads), isolated: crossOriginIsolated });
  } catch (error) {
    postMessage({ error: String(error) });
  }
});
