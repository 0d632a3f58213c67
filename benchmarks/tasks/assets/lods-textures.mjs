/**
 * Levels of detail beside gltfpack's simplifier (`-si`) at the same number of triangles, by the distance of the input's
 * surface to each level over the poses of all clips; and images that `--textures` encodes again, for a phone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGltf } from '@pelt/io';
import { rewriteGltf, surfaceDistance } from '@pelt/pack';
import { runCommand } from '../../harness/run-command.mjs';

/** Levels; and attempts to hit their triangles with a share that gltfpack is asked for. */
const [LEVELS, ATTEMPTS] = [2, 8];
/** Triangles of the rival over ours, between which the two are compared. */
const [FEWEST, MOST] = [0.98, 1.06];

export async function lodRows(file, before, rivalOf, log) {
  const asset = await readGltf(before);
  const rows = [];
  for (let level = 1; level <= LEVELS; level++) {
    const share = 2 ** -level;
    const { bytes } = await rewriteGltf({ bytes: before, triangles: share }, { compress: 'meshopt' });
    const own = await readGltf(bytes);
    const triangles = own.mesh.triangles.length / 3;
    const rival = await rivalAt(triangles, asset, share, rivalOf);
    if (!rival) {
      log(`${file}: gltfpack has no level of ${triangles} triangles`);
      continue;
    }
    rows.push({
      case: file,
      metric: `surface error of level ${level}, ${triangles} triangles`,
      value: 100 * surfaceDistance(asset, own).rms,
      unit: '% of the diagonal',
      reference: 100 * surfaceDistance(asset, rival).rms,
      referenceName: 'gltfpack -si',
      target: 'ratio <= 1',
    });
  }
  return rows;
}

/** By bisection: the rival's share is of other triangles, and a level may have a few more or fewer. Never with fewer than ours but by rounding. */
async function rivalAt(triangles, asset, share, rivalOf) {
  let [low, high] = [0.2 * share, Math.min(1, 3 * share)];
  let best;
  for (let k = 0, at = share; k < ATTEMPTS; k++, at = (low + high) / 2) {
    const level = await readGltf(rivalOf(at));
    const ratio = level.mesh.triangles.length / 3 / triangles;
    const counts = ratio >= FEWEST && ratio <= MOST && level.animations.length === asset.animations.length;
    if (counts && (!best || Math.abs(ratio - 1) < best.off)) best = { level, off: Math.abs(ratio - 1) };
    if (ratio < 1) low = at;
    else high = at;
  }
  return best?.level;
}

/** Images beside what they were. None where no image was encoded again. */
export function textureRows(file, input, pelt, scratch) {
  const output = join(scratch, `textures-${file}`);
  const command = ['reduce', input, '--target', 'mobile', '--textures', '-o', output, '--json', '--quiet'];
  const { textures } = JSON.parse(runCommand([...pelt, ...command]).stdout);
  if (!textures || textures.encoded === 0) return [];
  readFileSync(output);
  return [
    {
      case: file,
      metric: `${textures.encoded} of ${textures.images} images as WebP`,
      value: textures.after / 1000,
      unit: 'KB',
      reference: textures.before / 1000,
      referenceName: 'input',
      target: 'ratio <= 0.5',
    },
    {
      case: file,
      metric: 'least similarity of images as WebP',
      value: textures.similarity,
      unit: 'SSIM',
      target: 'value >= 0.98',
    },
  ];
}
