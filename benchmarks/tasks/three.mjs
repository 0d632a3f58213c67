/**
 * The run time in a page: headless Chromium with rendering in software, so times are ratios to three's own skinning with
 * four weights (the same mesh, the same renderer, frames in alternation), guards against regressions and no figures of a
 * GPU. Bytes, errors and times of JavaScript are what they are.
 */
import { fileURLToPath } from 'node:url';
import { openNumerics } from '@pelt/math';
import { launchBrowser, openPage } from '../../scripts/browser/launch.mjs';
import { serve } from '../../scripts/browser/serve.mjs';
import { bundlePage } from '../harness/bundle-page.mjs';
import { eightFile, envelopes, fineCreature, poserFile, twoLayerFile } from './three/models.mjs';

const PAGE = fileURLToPath(new URL('three/page.mjs', import.meta.url));
const SIZES = [25_000, 40_000];
const KINDS = ['webgpu', 'webgl2'];
const ROUNDS = 15;
const FRAMES = 2;
/** Three's own skinning with four weights, in the same run. */
const STOCK = 'three, four weights';
const HTML = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>';

export default {
  name: 'three',
  needs: [],
  async run(context) {
    const page = await open(context);
    try {
      const rows = [];
      for (const vertices of SIZES) {
        const name = `${vertices / 1000}k`;
        if (!context.wants(name)) continue;
        context.log(`${name}: making models`);
        await page.addModels(vertices);
        for (const kind of KINDS) rows.push(...(await frames(context, page, vertices, kind)));
        rows.push(...(await errors(context, page, vertices)));
      }
      if (context.wants('40k')) rows.push(...(await picking(context, page)));
      if (context.wants('joints')) rows.push(...(await joints(context, page)));
      if (context.wants('crowd')) rows.push(...(await crowds(context, page)));
      if (context.wants('drag')) rows.push(...(await dragging(context, page)));
      if (page.errors.length > 0) throw new Error(page.errors.join('\n'));
      return rows;
    } finally {
      await page.close();
    }
  },
};

async function open() {
  const bodies = new Map([['/bench.html', HTML], ...(await bundlePage(PAGE))]);
  const server = await serve({ bodies });
  const browser = await launchBrowser();
  const { page, errors } = await openPage(browser);
  await page.goto(`${server.origin}/bench.html`);
  await page.waitForFunction('globalThis.bench !== undefined');
  const numerics = await openNumerics({ threads: 1 });
  const creatures = new Map();
  const creature = (vertices) => {
    if (!creatures.has(vertices)) creatures.set(vertices, fineCreature(vertices));
    return creatures.get(vertices);
  };
  return {
    errors,
    call: (name, ...args) => page.evaluate(([fn, list]) => globalThis.bench[fn](...list), [name, args]),
    async addModels(vertices) {
      if (bodies.has(`/envelope-${vertices}.glb`)) return;
      for (const [name, bytes] of Object.entries(await envelopes(vertices, numerics))) {
        bodies.set(`/${name}-${vertices}.glb`, bytes);
      }
      bodies.set(`/eight-${vertices}.glb`, await eightFile(creature(vertices)));
      bodies.set(`/layers-${vertices}.glb`, await twoLayerFile(creature(vertices)));
    },
    async addCreature(vertices) {
      bodies.set(`/eight-${vertices}.glb`, await eightFile(creature(vertices)));
      bodies.set(`/layers-${vertices}.glb`, await twoLayerFile(creature(vertices)));
    },
    async addPoser(vertices) {
      bodies.set('/poser.glb', await poserFile(vertices));
    },
    async close() {
      numerics.close();
      await browser.close();
      await server.close();
    },
  };
}

/** What each way of skinning costs in a frame. */
async function frames(context, page, vertices, kind) {
  const name = `${vertices / 1000}k, ${kind}`;
  const rows = [];
  for (const [metric, file, options, target] of [
    ['envelope, blended normals', 'envelope', { normals: 'blended' }, 0.95],
    ['envelope, exact normals', 'envelope', { normals: 'exact' }, 1.3],
    ['four displacements, blended normals', 'displaced', { normals: 'blended' }, 1.4],
    ['eight weights', 'eight', { normals: 'blended' }, 1.25],
    ['two-layer', 'layers', { normals: 'blended' }, 0.85],
  ]) {
    context.log(`${name}: ${metric}`);
    // Two-layer files have joints by the thousand; the plain rival is the same mesh with its own weights.
    const rival = file === 'layers' ? 'eight' : file;
    const [own, stock] = await page.call(
      'compareFrames',
      kind,
      [
        { file: `/${file}-${vertices}.glb`, enhance: options },
        { file: `/${rival}-${vertices}.glb`, stock: true },
      ],
      ROUNDS,
      FRAMES,
    );
    const target_ = `ratio <= ${target}`;
    rows.push({
      case: name,
      metric,
      value: own.ms,
      unit: 'ms',
      reference: stock.ms,
      referenceName: STOCK,
      target: target_,
    });
    if (kind !== 'webgpu') continue;
    const most = file === 'displaced' ? { target: 'value <= 16384' } : {};
    rows.push({ case: name, metric: `${metric}: uploaded per frame`, value: own.bytes, unit: 'B', ...most });
  }
  return rows;
}

async function errors(context, page, vertices) {
  const name = `${vertices / 1000}k`;
  const rows = [];
  for (const kind of KINDS) {
    for (const file of ['envelope', 'displaced', 'eight', 'layers']) {
      context.log(`${name}, ${kind}: errors of ${file}`);
      const found = await page.call('shapes', kind, `/${file}-${vertices}.glb`, { normals: 'exact' }, 0.2);
      rows.push(
        {
          case: `${name}, ${kind}`,
          metric: `${file}: farthest vertex from the CPU`,
          value: found.farthest,
          unit: 'sizes',
          target: 'value <= 2e-6',
        },
        {
          case: `${name}, ${kind}`,
          metric: `${file}: exact normals, widest angle`,
          value: found.angle,
          unit: '°',
          target: 'value <= 0.01',
        },
      );
    }
  }
  return rows;
}

async function picking(context, page) {
  context.log('40k: picking');
  await page.addModels(40_000);
  const { ms, hits } = await page.call('picking', '/eight-40000.glb', 60);
  return [
    { case: '40k', metric: 'picking', value: ms, unit: 'ms', target: 'value <= 4' },
    { case: '40k', metric: 'picking: rays that meet the skin, of 60', value: hits, unit: '', target: 'value >= 40' },
  ];
}

/** Animation and matrices of a two-layer file of 8.4k vertices. */
async function joints(context, page) {
  context.log('joints: two-layer file');
  await page.addCreature(8_400);
  const own = await page.call('jointCost', '/layers-8400.glb', true, 15);
  const plain = await page.call('jointCost', '/layers-8400.glb', false, 15);
  return [
    {
      case: 'joints of a two-layer file',
      metric: 'mixer and matrices, every virtual bone a joint',
      value: plain,
      unit: 'ms',
      reference: own,
      referenceName: 'virtual bones blended by the run time',
      target: 'ratio >= 8',
    },
  ];
}

async function crowds(context, page) {
  await page.addCreature(8_400);
  const rows = [];
  for (const kind of KINDS) {
    context.log(`crowd, ${kind}`);
    const [layers, eight] = await page.call('crowdFrames', kind, ['/layers-8400.glb', '/eight-8400.glb'], 100, 7);
    const name = `crowd of 100 × 8.4k, ${kind}`;
    rows.push(
      {
        case: name,
        metric: 'two-layer',
        value: layers.ms,
        unit: 'ms',
        reference: eight.ms,
        referenceName: 'eight weights, the same crowd',
        target: 'ratio <= 0.85',
      },
      { case: name, metric: 'uploaded per frame', value: layers.bytes, unit: 'B', target: 'value <= 65536' },
    );
  }
  const { ms, bytes } = await page.call('bakedCrowd', 'webgpu', '/eight-8400.glb', 1000);
  rows.push(
    { case: 'crowd of 1000, baked', metric: 'uploaded per instance', value: bytes, unit: 'B', target: 'value <= 16' },
    { case: 'crowd of 1000, baked', metric: 'JavaScript per frame', value: ms, unit: 'ms' },
  );
  return rows;
}

async function dragging(context, page) {
  context.log('drag: making a poser');
  await page.addPoser(30_000);
  const { opening, p50, p95 } = await page.call('dragging', '/poser.glb', 100);
  return [
    { case: 'drag, 30k', metric: 'opening a poser', value: opening, unit: 'ms', target: 'value <= 1000' },
    { case: 'drag, 30k', metric: 'worker round trip, median', value: p50, unit: 'ms' },
    { case: 'drag, 30k', metric: 'worker round trip, p95', value: p95, unit: 'ms', target: 'value <= 16' },
  ];
}
