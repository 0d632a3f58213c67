/** A subject of a scene, in a frame, as items to be drawn. */
import { distancesToOriginal, poseSubject, type ViewScene } from '@pelt/jobs/view';
import { distinctColours, toHex } from '../drawing/colour.ts';
import type { Heat, Item } from '../drawing/items.ts';
import { boneFrames } from '../scene/bone-frames.ts';
import { partColours, weightColours } from '../scene/colours.ts';

/** Of a surface that bones are shown through. */
const SEE_THROUGH = 0.45;

export function heatOf(max: number, values: ArrayLike<number> = []): Heat {
  return { values, min: 0, max, name: 'distance to the original', unit: '% of the diagonal' };
}

/**
 * @param k      which of the subjects
 * @param frame  −1 for the rest pose
 */
export function itemsOf({ subjects, look }: ViewScene, k: number, clip: number, frame: number): Item[] {
  const subject = subjects[k];
  const { positions, triangles, rig } = subject;
  const hot = look.heat !== undefined && subject.original !== undefined;
  const values = hot ? distancesToOriginal(subject, subjects[0], clip, frame) : undefined;
  const bones = look.bones && rig?.skinned;
  const items: Item[] = [
    {
      kind: 'mesh',
      positions: poseSubject(subject, clip, frame, new Float32Array(positions.length)),
      triangles,
      ...(values && { heat: heatOf(look.heat ?? 1, values) }),
      // Beside a heat map, colours of the file would be taken for heat.
      colours: look.weights ? weightColours(subject) : look.heat === undefined ? partColours(subject) : undefined,
      opacity: bones ? SEE_THROUGH : 1,
      edges: look.edges,
      shading: look.flat ? 'flat' : 'smooth',
    },
  ];
  if (bones && rig) {
    const colours = look.weights ? distinctColours(rig.names.length).map(toHex) : undefined;
    items.push({ kind: 'bones', frames: boneFrames(subject, clip, frame), parents: rig.parents, colours });
  }
  return items;
}
