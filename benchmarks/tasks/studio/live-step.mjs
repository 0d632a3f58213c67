/** A live puppet step without the tracker: joints in, worker and back, pose in the palette. */
import { fileURLToPath } from 'node:url';
import { writeSkinnedGlb } from '@pelt/io';
import { dogCharacter, PERFORMER_JOINTS, performerPose } from '@pelt/testkit';
import { openPage } from '../../../scripts/browser/launch.mjs';
import { serve } from '../../../scripts/browser/serve.mjs';
import { bundlePage } from '../../harness/bundle-page.mjs';

const HTML = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>';
const PAGE = fileURLToPath(new URL('live-page.mjs', import.meta.url));
const [STEPS, WARM] = [330, 30];

export async function liveStep({ browser, log }) {
  log('live puppet step');
  const { rig, registration } = dogCharacter();
  const { bytes } = await writeSkinnedGlb({ rig, clips: [] });
  const server = await serve({
    bodies: new Map([['/bench.html', HTML], ['/dog.glb', bytes], ...(await bundlePage(PAGE))]),
  });
  const { page, errors } = await openPage(browser);
  await page.goto(`${server.origin}/bench.html`);
  await page.waitForFunction('globalThis.bench !== undefined');
  const plain = {
    ...registration,
    pairs: registration.pairs.map(({ name, performer, character }) => ({
      name,
      performer: [...performer],
      character: [...character.transforms],
    })),
  };
  const frames = Array.from({ length: STEPS }, (_, t) => [...walking(t)]);
  const times = await page.evaluate(
    ([pairs, joints, list]) => globalThis.bench.liveSteps('/dog.glb', pairs, joints, list),
    [plain, PERFORMER_JOINTS, frames],
  );
  if (errors.length > 0) throw new Error(errors.join('\n'));
  await page.close();
  await server.close();
  const sorted = times.slice(WARM).sort((a, b) => a - b);
  const row = { case: 'live puppet step, dog, seven pairs', unit: 'ms' };
  return [
    { ...row, metric: 'joints to pose, median', value: sorted[sorted.length >> 1], target: 'value <= 2' },
    { ...row, metric: 'joints to pose, p95', value: sorted[Math.floor(0.95 * sorted.length)] },
  ];
}

/** Somebody who walks on the spot and waves. */
function walking(t) {
  const swing = Math.sin(t / 8);
  return performerPose({
    leftShoulder: { degrees: [30 * swing, 0, 50 + 40 * swing] },
    rightShoulder: { degrees: [-30 * swing, 0, -20] },
    leftHip: { degrees: [-25 * swing, 0, 0] },
    rightHip: { degrees: [25 * swing, 0, 0] },
  });
}
