/**
 * A skeleton whose bones are pairs: bones that have no mirror image get one, on the mirror images of the vertices that they
 * move most, and the hierarchy is its own mirror image. What rounds make of it has mirrored joints by construction.
 */
import { IDENTITY_TRANSFORM } from '@pelt/model';
import { copyOf, solveAddedBones, withBonesOn } from '../shared/search/moves.ts';
import { boneCentres, pulledJoint } from './joint-tree.ts';
import { mirrorBones } from './mirror-bones.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import type { Candidate } from './moves.ts';
import { symmetricTree } from './symmetric-tree.ts';

/** Distance from the mirror plane, in units of the positions, of a bone that may be its own image. */
const ON_PLANE = 0.05;
/** Least vertices of a bone that gets an image. */
const LEAST_VERTICES = 3;

/** The caller disposes both systems. */
export function withMirroredBones({ system }: Candidate, mirror: MirrorPlane): Candidate {
  const { m, S } = system;
  const partners = Array.from(mirrorBones(system, mirror));
  const centres = boneCentres(system);
  const vertices = strongestVertices(system);
  const patches: number[][] = [];
  for (let j = 0; j < m; j++) {
    if (partners[j] >= 0) continue;
    const off = [0, 1, 2].reduce((sum, d) => sum + mirror.normal[d] * centres[3 * j + d], -mirror.offset);
    const images = [...new Set(vertices[j].map((i) => mirror.images[i]))];
    if (Math.abs(off) <= ON_PLANE) partners[j] = j;
    else if (images.length >= LEAST_VERTICES) {
      partners[j] = m + patches.length;
      partners.push(j);
      patches.push(images);
    }
  }
  const more = patches.length > 0 ? withBonesOn(system, patches, system.K) : copyOf(system);
  if (patches.length > 0) {
    const transforms = more.editTransforms();
    for (let t = 0; t < S; t++) {
      for (let j = m; j < more.m; j++) transforms.set(IDENTITY_TRANSFORM, (t * more.m + j) * 12);
    }
    solveAddedBones(more, m);
  }
  const pairs = Int32Array.from(partners);
  return { system: more, ...symmetricTree(more, pairs, mirror, pulledJoint), partners: pairs };
}

/** The vertices that each bone moves most. */
function strongestVertices({ n, m, K, boneIndices, weights }: Candidate['system']): number[][] {
  const out: number[][] = Array.from({ length: m }, () => []);
  for (let i = 0; i < n; i++) {
    let most = i * K;
    for (let s = i * K; s < (i + 1) * K; s++) if (weights.view[s] > weights.view[most]) most = s;
    out[boneIndices.view[most]].push(i);
  }
  return out;
}
