/**
 * The mask of `--paint`: which weights of a rig stay, and which are not allowed.
 *
 *   { "keep": { "bone-03": [12, "40-99"], "*": ["0-39"] }, "forbid": { "bone-01": ["100-199"] } }
 *
 * Bones by their names, `*` for all of them; vertices of the mesh by their numbers from 0, one by one or as ranges.
 */
import { InputError, type Mesh, vertexCount } from '@pelt/model';
import { PAINT, type PaintedRig } from '@pelt/skin/decompose';
import * as z from 'zod/mini';
import { characterOf } from '../input/asset-motion.ts';
import type { Reader } from '../input/load-sequence.ts';
import { requireSkin } from '../input/open-character.ts';
import { openRig } from '../input/open-rig.ts';
import { readJson } from '../input/read-json.ts';

const vertices = z.array(z.union([z.int().check(z.gte(0)), z.string().check(z.regex(/^\d+-\d+$/))]));
const layer = z.record(z.string(), vertices);
const form = z.strictObject({ keep: z.optional(layer), forbid: z.optional(layer) });
const FORM = '{ "keep": { "bone-03": [12, "40-99"] }, "forbid": { … } }, with "*" for all bones';

/**
 * @param path  of the mask
 * @param rig   of the rig whose bones it names
 */
export async function loadPaintedRig(path: string, rig: string, mesh: Mesh, reader: Reader): Promise<PaintedRig> {
  const opened = await openRig(rig, reader);
  requireSkin(
    { path: rig, character: characterOf(opened.asset, rig) },
    ['linear'],
    'a fit blends linearly',
    'give a rig that does',
  );
  const { bones } = opened.rig;
  const [own, n] = [vertexCount(opened.rig.mesh), vertexCount(mesh)];
  if (own !== n) throw new InputError(`'${rig}' has ${own} vertices, the animation ${n}; paint the rig of this mesh`);
  const m = bones.length;
  const mask = new Uint8Array(n * m);
  const painted = readJson(path, reader, form, FORM);
  for (const state of ['keep', 'forbid'] as const) {
    for (const [name, numbers] of Object.entries(painted[state] ?? {})) {
      const named = bones.flatMap((bone, j) => (name === '*' || bone.name === name ? [j] : []));
      if (named.length === 0) {
        throw new InputError(
          `'${path}': '${rig}' has no bone '${name}'; it has ${bones.map((bone) => bone.name).join(', ')}`,
        );
      }
      for (const entry of numbers) {
        const [from, to = from] = String(entry).split('-').map(Number);
        if (from > to || to >= n) throw new InputError(`'${path}': ${entry} is not among the vertices 0 to ${n - 1}`);
        for (let i = from; i <= to; i++) for (const j of named) mask[i * m + j] = PAINT[state];
      }
    }
  }
  return { rig: opened.rig, mask };
}
