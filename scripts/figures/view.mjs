// @ts-check
/**
 * Looks at any result: renders meshes, frames of sequences, weights and bones to a PNG, one panel a file and frame.
 * Reads through the built @pelt/io, so `npm run build` comes first.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureBrowser } from '../browser/install.mjs';
import { bonesItem, distanceHeat, meshItem, weightColours } from './describe.mjs';
import { loadSubjects } from './load.mjs';
import { openRenderer } from './render.mjs';

const HELP = `node scripts/figures/view.mjs FILE… -o OUT.png [options]

FILE: .obj, .ply, .glb, .gltf, a folder of frames, a .pc2 or .mdd after its mesh, or .json with
      { positions, triangles, frames?, weights?, bones?, transforms? }

  -o, --output OUT.png     the picture
  --frame N[,N…]           frames to show, from 0, one panel each; default the rest pose
  --clip NAME              which animation of a glTF; default the first
  --heat FILE              colour by the distance to the same vertices of FILE, in the same frame where it has
                           frames; a mesh and its cache are given as two --heat
  --heat-max P             end of that scale, in % of the diagonal; default the largest value
  --weights                colour by skinning weights
  --bones                  show bones inside a see-through surface
  --edges, --flat          draw the triangles' edges; show the facets
  --view NAME|X,Y,Z        front, back, left, right, top, three-quarter (default), or a direction
  --up y|z|-y|-z           default y
  --own-view               frame every panel by itself, not all alike
  --columns N, --width N, --height N   panels in a row; CSS pixels of the picture and of a panel
  --samples N              default 12; 48 for a clean picture
  --title TEXT

  node scripts/figures/view.mjs rest.obj clip.pc2 --frame 0,12,24 -o frames.png
  node scripts/figures/view.mjs fitted.glb --frame 12 --heat truth.glb -o error.png
  node scripts/figures/view.mjs fitted.glb --weights --bones -o rig.png`;

/** @type {Record<string, number[] | undefined>} */
const DIRECTIONS = {
  front: [0, 0.1, 1],
  back: [0, 0.1, -1],
  left: [-1, 0.1, 0],
  right: [1, 0.1, 0],
  top: [0, 1, 0.01],
  'three-quarter': [0.7, 0.35, 1],
};

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string', short: 'o' },
    frame: { type: 'string' },
    clip: { type: 'string' },
    heat: { type: 'string', multiple: true },
    'heat-max': { type: 'string' },
    weights: { type: 'boolean' },
    bones: { type: 'boolean' },
    edges: { type: 'boolean' },
    flat: { type: 'boolean' },
    view: { type: 'string', default: 'three-quarter' },
    up: { type: 'string', default: 'y' },
    'own-view': { type: 'boolean' },
    columns: { type: 'string' },
    width: { type: 'string' },
    height: { type: 'string' },
    samples: { type: 'string', default: '12' },
    title: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (options.help || files.length === 0 || !options.output) {
  console.log(HELP);
  process.exit(options.help ? 0 : 1);
}

try {
  const figure = await describe();
  ensureBrowser();
  const renderer = await openRenderer();
  try {
    writeFileSync(options.output, await renderer.render(figure));
  } finally {
    await renderer.close();
  }
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

/** @returns {Promise<import('./description.ts').Figure>} */
async function describe() {
  const subjects = await loadSubjects(files, options.clip);
  const [truth] = options.heat ? await loadSubjects(options.heat, options.clip) : [];
  const frames = options.frame?.split(',').map(Number) ?? [-1];
  const panels = withOneScale(subjects.flatMap((subject) => frames.map((frame) => panelOf(subject, frame, truth))));
  const columns = numberOption('columns') ?? Math.min(panels.length, 4);
  return {
    title: options.title,
    panels,
    columns,
    width: numberOption('width') ?? Math.max(420, Math.min(1400, 360 * columns)),
    panelHeight: numberOption('height') ?? 340,
    samples: numberOption('samples'),
    sameView: !options['own-view'],
  };
}

/**
 * @param {import('./load.mjs').Subject} subject
 * @param {number} frame  −1 for the rest pose
 * @param {import('./load.mjs').Subject | undefined} truth
 * @returns {import('./description.ts').ScenePanel}
 */
function panelOf(subject, frame, truth) {
  const positions = positionsAt(subject, frame);
  const heat =
    truth && distanceHeat(positions, positionsAt(truth, truth.frames ? frame : -1), numberOption('heat-max'));
  if (options.weights && !subject.weights) throw new Error(`${subject.name} has no weights`);
  if (options.bones && !subject.bones) throw new Error(`${subject.name} has no bones`);
  const colours =
    options.weights && subject.weights
      ? weightColours(subject.weights, 1 + subject.weights.bones.reduce((most, bone) => Math.max(most, bone), 0))
      : undefined;
  const look = {
    positions,
    heat,
    colours,
    opacity: options.bones ? 0.45 : 1,
    edges: options.edges,
    shading: options.flat ? /** @type {const} */ ('flat') : undefined,
  };
  /** @type {import('./description.ts').Item[]} */
  const items = [meshItem(subject.mesh, look)];
  if (options.bones && subject.bones) items.push(bonesItem(subject.bones, transformsAt(subject, frame)));
  const title = frame < 0 ? subject.name : `${subject.name}, frame ${frame}`;
  return { kind: 'scene', title, items, view: view() };
}

/**
 * The same colour means the same distance in all panels.
 *
 * @param {import('./description.ts').ScenePanel[]} panels
 */
function withOneScale(panels) {
  const items = panels.flatMap((panel) => panel.items);
  const max = Math.max(...items.map((item) => (item.kind === 'mesh' && item.heat?.max) || 0));
  return panels.map((panel) => ({
    ...panel,
    items: panel.items.map((item) =>
      item.kind === 'mesh' && item.heat ? { ...item, heat: { ...item.heat, max } } : item,
    ),
  }));
}

/**
 * @param {import('./load.mjs').Subject} subject
 * @param {number} frame
 */
function positionsAt({ name, mesh, frames }, frame) {
  if (frame < 0) return mesh.positions;
  const size = mesh.positions.length;
  const count = (frames?.length ?? 0) / size;
  if (!frames || frame >= count) throw new Error(`${name} has no frame ${frame}; it has ${count}`);
  return frames.subarray(frame * size, (frame + 1) * size);
}

/**
 * @param {import('./load.mjs').Subject} subject
 * @param {number} frame
 */
function transformsAt({ bones = [], transforms }, frame) {
  if (frame < 0 || !transforms) return undefined;
  const size = 12 * bones.length;
  return Array.from({ length: size }, (_, k) => transforms[frame * size + k]);
}

/** @returns {import('./description.ts').View} */
function view() {
  const named = DIRECTIONS[options.view];
  const [x, y, z] = named ?? options.view.split(',').map(Number);
  if (![x, y, z].every(Number.isFinite)) throw new Error(`--view ${options.view}: expected a name or X,Y,Z`);
  const sign = options.up.startsWith('-') ? -1 : 1;
  // Named views are meant relative to "up"; with z up, what was −z is now y.
  if (options.up.endsWith('z')) return { direction: named ? [x, -z, sign * y] : [x, y, z], up: [0, 0, sign] };
  return { direction: named ? [x, sign * y, z] : [x, y, z], up: [0, sign, 0] };
}

/** @param {'columns' | 'width' | 'height' | 'samples' | 'heat-max'} key */
function numberOption(key) {
  const text = options[key];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${key} ${text}: expected a number above 0`);
  return value;
}
