// @ts-check
/**
 * Anything that can be looked at, from files: meshes (OBJ, PLY, glTF), a mesh with a point cache (PC2, MDD), a folder of
 * frames, rigged and animated glTF, and plain JSON { positions, triangles, frames?, weights?, bones? } from whatever is being worked on.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import {
  bakeSequence,
  detectFormat,
  readGltf,
  readMdd,
  readObj,
  readPc2,
  readPly,
  readRig,
  sequenceFromCache,
  sequenceFromFrames,
} from '@pelt/io';

/**
 * @typedef {object} Subject
 * @property {string} name
 * @property {import('@pelt/model').Mesh} mesh
 * @property {Float32Array | undefined} frames  S × n × 3
 * @property {import('@pelt/model').SkinWeights | undefined} weights
 * @property {readonly import('@pelt/model').Bone[] | undefined} bones
 * @property {ArrayLike<number> | undefined} transforms  S × m × 12, rest → pose, of the same frames
 */

/** What only some files have. */
const STILL = { frames: undefined, weights: undefined, bones: undefined, transforms: undefined };

/**
 * A cache joins the mesh before it: `rest.obj clip.pc2` is one subject.
 *
 * @param {readonly string[]} files
 * @param {string} [clip]  which animation of a glTF; default the first
 * @returns {Promise<Subject[]>}
 */
export async function loadSubjects(files, clip) {
  /** @type {Subject[]} */
  const subjects = [];
  for (const file of files) {
    if (statSync(file).isDirectory()) {
      subjects.push(fromFrames(file));
      continue;
    }
    const bytes = readFileSync(file);
    const name = basename(file);
    if (name.endsWith('.json')) {
      subjects.push(fromJson(name, JSON.parse(bytes.toString())));
      continue;
    }
    const format = detectFormat(name, bytes);
    if (format === 'pc2' || format === 'mdd') {
      const last = subjects.at(-1);
      if (!last) throw new Error(`${file}: a point cache has no triangles; name its mesh before it`);
      const cache = format === 'pc2' ? readPc2(bytes, { name }) : readMdd(bytes, { name });
      last.frames = sequenceFromCache(last.mesh, cache).frames;
    } else subjects.push(await fromMeshFile(file, format, bytes, clip));
  }
  return subjects;
}

/**
 * @param {string} file
 * @param {string} format
 * @param {Uint8Array} bytes
 * @param {string | undefined} clip
 * @returns {Promise<Subject>}
 */
async function fromMeshFile(file, format, bytes, clip) {
  const name = basename(file);
  const plain = { ...STILL, name };
  if (format === 'obj') return { ...plain, mesh: readObj(bytes, { name }) };
  if (format === 'ply') return { ...plain, mesh: readPly(bytes, { name }) };
  const asset = await readGltf(bytes, { name, resolve: (path) => beside(file, path) });
  if (asset.animations.length === 0 && !asset.skinned) return { ...plain, mesh: asset.mesh };
  const { rig, clips } = readRig(asset);
  const { frames } = bakeSequence(asset, { clip });
  const { transforms } = clips.find((candidate) => candidate.name === clip) ?? clips[0] ?? {};
  return { name, mesh: rig.mesh, frames, weights: rig.weights, bones: rig.bones, transforms };
}

/**
 * A file that a file names, from inside its folder alone.
 *
 * @param {string} file
 * @param {string} path
 */
function beside(file, path) {
  const folder = resolve(dirname(file));
  const target = resolve(folder, path);
  return target.startsWith(folder + sep) ? readFileSync(target) : undefined;
}

/**
 * @param {string} folder
 * @returns {Subject}
 */
function fromFrames(folder) {
  const files = readdirSync(folder).filter((name) => /\.(obj|ply)$/i.test(name));
  const frames = files.map((name) => ({ name, bytes: () => readFileSync(join(folder, name)) }));
  const sequence = sequenceFromFrames(frames);
  return { ...STILL, name: basename(folder), mesh: sequence.rest, frames: sequence.frames };
}

/**
 * @param {string} name
 * @param {any} json
 * @returns {Subject}
 */
function fromJson(name, { positions, triangles, frames, weights, bones, transforms }) {
  return {
    name,
    mesh: { name, positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) },
    frames: frames && Float32Array.from(frames.flat()),
    weights,
    bones,
    transforms: transforms?.flat(),
  };
}
