/** The axes of an FBX: which of x, y, z is right, up and front. */
import type { Transform } from '../gltf/transform.ts';
import type { FbxObjects } from './fbx-objects.ts';

/** From the file's axes to glTF's: x right, y up, z to the viewer; a rotation, or one with a mirror. */
export function axesOf(objects: FbxObjects): Transform {
  const up = axis(objects, 'Up', 1);
  const right = axis(objects, 'Coord', up.index === 0 ? 1 : 0);
  if (right.index === up.index) right.index = (up.index + 1) % 3;
  const rest = 3 - up.index - right.index;
  const given = axis(objects, 'Front', rest);
  // The front that makes the three right-handed, unless the file says another.
  const cyclic = (right.index + 1) % 3 === up.index ? 1 : -1;
  const known = given.index === rest && objects.settings.has('FrontAxisSign');
  const sign = known ? given.sign : cyclic * up.sign * right.sign;
  const out = new Float64Array(12);
  out[right.index] = right.sign;
  out[4 + up.index] = up.sign;
  out[8 + rest] = sign;
  return out;
}

function axis(objects: FbxObjects, name: string, fallback: number) {
  const index = objects.setting(`${name}Axis`, fallback);
  const sign = objects.setting(`${name}AxisSign`, 1) < 0 ? -1 : 1;
  return { index: index === 0 || index === 1 || index === 2 ? index : fallback, sign };
}
