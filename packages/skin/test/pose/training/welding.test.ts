import { gatherVertices, validatePoser } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { withSeams } from '../../seams.ts';
import { creatureExamples } from '../scenes.ts';

describe('a poser of a mesh with seams', () => {
  it('is that of the welded mesh, vertex for vertex', () => {
    const plain = creatureExamples(8, { detail: 0.08 });
    const split = withSeams(plain);
    const map = Uint32Array.from({ length: split.rig.mesh.positions.length / 3 }, (_, k) => k >> 1);
    const [found, expected] = [split, plain].map(({ rig, clip, sequence }) => {
      const poser = buildPoser({ rig, clip, examples: sequence }, { proxies: 30 });
      validatePoser(poser);
      return poser;
    });
    expect(found.rig).toEqual(split.rig);
    expect(found.vertexProxies).toEqual(gatherVertices(expected.vertexProxies, 1, map));
    expect(found.blocks).toEqual(expected.blocks);
    expect(found.exampleLogs).toEqual(expected.exampleLogs);
    expect(found.exampleDetails).toEqual(expected.exampleDetails.map((detail) => gatherVertices(detail, 3, map)));
  });
});
